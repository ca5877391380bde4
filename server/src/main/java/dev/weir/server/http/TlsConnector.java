package dev.weir.server.http;

import dev.weir.server.http.HttpServer.Address;
import io.javalin.config.JettyConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Lets the server listen with TLS instead of plain HTTP. */
final class TlsConnector {
    private TlsConnector() {}

    static void add(JettyConfig jetty, Address address, TlsFiles files) {
        var factory = new SslContextFactory.Server();
        factory.setKeyStore(read(files).keyStore());
        factory.setKeyStorePassword("");
        jetty.addConnector((server, plain) -> {
            var secured = new HttpConfiguration(plain);
            // Clients may call the server by a name that is not in its certificate, such as localhost.
            secured.addCustomizer(new SecureRequestCustomizer(false));
            var connector = new ServerConnector(server, factory, new HttpConnectionFactory(secured));
            connector.setHost(address.host());
            connector.setPort(address.port());
            return connector;
        });
    }

    private static ServerCertificate read(TlsFiles files) {
        try {
            return ServerCertificate.read(files, Instant.now());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
