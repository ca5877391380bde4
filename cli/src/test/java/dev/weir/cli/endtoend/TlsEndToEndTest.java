package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Main;
import dev.weir.cli.rig.NodePort;
import dev.weir.cli.rig.NodeProcess;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a real node that serves HTTPS with a certificate of its own. */
@Tag("RX.5")
class TlsEndToEndTest {
    private static final String PASSWORD = "password";

    private static String pem(String kind, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
    }

    /** Makes a certificate for 127.0.0.1 that signs itself: cert.pem and key.pem. */
    private static void createCertificate(Path folder) throws Exception {
        Path store = folder.resolve("keys.p12");
        Files.deleteIfExists(store);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "node",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        byte[] key = keys.getKey("node", PASSWORD.toCharArray()).getEncoded();
        Files.writeString(
                folder.resolve("cert.pem"),
                pem("CERTIFICATE", keys.getCertificate("node").getEncoded()));
        Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key));
    }

    /** A finished command. */
    private record Outcome(int status, String out, String err) {}

    private static Outcome run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(status, out.toString(), err.toString());
    }

    @Test
    void commands_the_demo_and_links_use_https_and_trust_the_nodes_certificate() throws Exception {
        Path folder = Path.of("target", "tls-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(folder);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        createCertificate(folder);
        String data = folder.resolve("data").toString();
        int port = NodePort.findFree();
        var launch = new NodeProcess.NodeLaunch(
                folder.resolve("data"),
                folder.resolve("node.log"),
                port,
                List.of(
                        "--demo",
                        "--tls-cert",
                        folder.resolve("cert.pem").toString(),
                        "--tls-key",
                        folder.resolve("key.pem").toString()),
                Map.of());
        try (NodeProcess node = NodeProcess.start(launch)) {
            Awaitility.await("runs of the demo, over HTTPS")
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> run("runs", "--data", data).out.contains("order-"));
            Outcome console = run("console", "--data", data);
            assertThat(console.out).as(console.err).startsWith("https://127.0.0.1:" + port + "/#sign-in=");
            assertThat(run("keys", "--url", "http://127.0.0.1:" + port, "--token", "none").err)
                    .as("plain HTTP")
                    .isNotEmpty();
            Awaitility.await("the first line, which follows the start of the demo")
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> node.logEnd().contains("Console: https://127.0.0.1:" + port + "/#sign-in="));
        }
    }
}
