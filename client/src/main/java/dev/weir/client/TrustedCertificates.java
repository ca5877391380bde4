package dev.weir.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Lets a client trust the certificates of a file besides those that Java trusts, such as one that signs itself. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /** Adds the certificates of the connection to a client, if it names some. */
    static HttpClient.Builder apply(HttpClient.Builder builder, Connection connection) {
        Path file = connection.certificate();
        return file == null ? builder : builder.sslContext(context(file));
    }

    private static SSLContext context(Path file) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (X509Certificate usual : trustManager(null).getAcceptedIssuers()) {
                trusted.setCertificateEntry("usual " + trusted.size(), usual);
            }
            try (InputStream in = Files.newInputStream(file)) {
                for (Certificate added : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                    trusted.setCertificateEntry("added " + trusted.size(), added);
                }
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trustManager(trusted)}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "expected a certificate in PEM to trust in " + file + ", found none that can be read: " + e, e);
        }
    }

    private static X509TrustManager trustManager(@Nullable KeyStore trusted) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("this Java has no trust manager for certificates");
    }
}
