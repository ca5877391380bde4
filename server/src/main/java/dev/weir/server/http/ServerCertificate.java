package dev.weir.server.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The certificate of a server and its private key. A message says what is wrong with a file, and how to mend it. */
public record ServerCertificate(List<X509Certificate> chain, PrivateKey key) {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----");
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN (?<kind>[A-Z0-9 ]*)PRIVATE KEY-----(?<body>[^-]*)-----END");
    private static final byte[] PROBE = "weir".getBytes(StandardCharsets.UTF_8);

    public ServerCertificate {
        chain = List.copyOf(chain);
    }

    /**
     * Reads the files and checks that they belong together.
     *
     * @throws IOException if the files cannot be used; its message is for people
     */
    public static ServerCertificate read(TlsFiles files, Instant now) throws IOException {
        List<X509Certificate> chain = readChain(files.certificate());
        X509Certificate own = chain.getFirst();
        if (now.isAfter(own.getNotAfter().toInstant())) {
            throw new IOException("the certificate in " + files.certificate() + " expired on "
                    + own.getNotAfter().toInstant() + "; renew it");
        }
        if (now.isBefore(own.getNotBefore().toInstant())) {
            throw new IOException("the certificate in " + files.certificate() + " is valid from "
                    + own.getNotBefore().toInstant() + " on; check the clock of this machine");
        }
        PrivateKey key = readKey(files.key(), own);
        if (!belongs(key, own)) {
            throw mismatch(files.key());
        }
        return new ServerCertificate(chain, key);
    }

    private static IOException mismatch(Path file) {
        return new IOException("the private key in " + file + " does not belong to the certificate (its file must begin"
                + " with the certificate of this server, before those of authorities)");
    }

    private static List<X509Certificate> readChain(Path file) throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            var factory = CertificateFactory.getInstance("X.509");
            Matcher found = CERTIFICATE.matcher(read(file, "certificate"));
            while (found.find()) {
                byte[] bytes = Base64.getMimeDecoder().decode(found.group(1));
                chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw new IOException("cannot parse a certificate in " + file + ": " + e.getMessage(), e);
        }
        if (chain.isEmpty()) {
            throw new IOException("expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in " + file
                    + ", found none; convert one with: openssl x509 -inform der -in FILE -out cert.pem");
        }
        return chain;
    }

    private static PrivateKey readKey(Path file, X509Certificate own) throws IOException {
        Matcher found = KEY.matcher(read(file, "private key"));
        if (!found.find()) {
            throw new IOException(
                    "expected a private key in PEM (-----BEGIN PRIVATE KEY-----) in " + file + ", found none");
        }
        String kind = Objects.requireNonNull(found.group("kind")).strip();
        if (!kind.isEmpty()) {
            throw new IOException("expected an unencrypted private key in PKCS #8 (-----BEGIN PRIVATE KEY-----) in "
                    + file + ", found one of the kind " + kind + "; convert it with: openssl pkcs8 -topk8 -nocrypt -in "
                    + file + " -out key.pem");
        }
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(found.group("body"));
            return KeyFactory.getInstance(own.getPublicKey().getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (IllegalArgumentException e) {
            throw new IOException("cannot parse the private key in " + file + ": " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw mismatch(file);
        }
    }

    private static String read(Path file, String what) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IOException("expected the " + what + " of the server in " + file + ", found no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException(
                    "cannot read the " + what + " of the server in " + file + ": permission denied for user "
                            + System.getProperty("user.name"),
                    e);
        } catch (IOException e) {
            throw new IOException("cannot read the " + what + " of the server in " + file + ": " + e.getMessage(), e);
        }
    }

    /** Tells if the key makes signatures that the certificate verifies. */
    private static boolean belongs(PrivateKey key, X509Certificate certificate) {
        try {
            var signature = Signature.getInstance(
                    switch (key.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> key.getAlgorithm();
                    });
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns both in the form that TLS in Java takes. It has no password, because it never leaves the process. */
    KeyStore keyStore() {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", key, new char[0], chain.toArray(X509Certificate[]::new));
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every Java can hold a key in memory", e);
        }
    }

    @Override
    public String toString() {
        return "certificate of " + chain.getFirst().getSubjectX500Principal();
    }
}
