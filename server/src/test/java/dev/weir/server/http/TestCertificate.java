package dev.weir.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** A self-signed certificate for 127.0.0.1, made by the keytool of the JDK. */
record TestCertificate(Path certificate, Path key) {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final int LINE_CHARS = 64;

    /**
     * Makes a certificate in a folder.
     *
     * @param options further options of keytool, such as the time at which the certificate begins
     */
    static TestCertificate create(Path folder, String name, String algorithm, String... options)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + command);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Certificate certificate = keys.getCertificate("server");
        Path pem = Files.writeString(folder.resolve(name + ".pem"), pem("CERTIFICATE", certificate.getEncoded()));
        byte[] key = keys.getKey("server", PASSWORD).getEncoded();
        return new TestCertificate(pem, Files.writeString(folder.resolve(name + ".key"), pem("PRIVATE KEY", key)));
    }

    private static String pem(String kind, byte[] content) {
        String body = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(content);
        return String.format(Locale.ROOT, "-----BEGIN %s-----%n%s%n-----END %s-----%n", kind, body, kind);
    }

    TlsFiles files() {
        return new TlsFiles(certificate, key);
    }
}
