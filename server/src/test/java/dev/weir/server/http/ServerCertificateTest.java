package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerCertificateTest {
    @TempDir
    private static Path folder;

    private static TestCertificate rsa;
    private static TestCertificate ec;

    @BeforeAll
    static void create() throws Exception {
        rsa = TestCertificate.create(folder, "rsa", "RSA");
        ec = TestCertificate.create(folder, "ec", "EC");
    }

    private static void assertRefused(Path certificate, Path key, String... words) {
        assertThatThrownBy(() -> ServerCertificate.read(new TlsFiles(certificate, key), Instant.now()))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void a_certificate_and_its_key_are_read(String algorithm) throws Exception {
        var made = TestCertificate.create(folder, "read-" + algorithm, algorithm);
        var read = ServerCertificate.read(made.files(), Instant.now());
        assertThat(read.chain()).hasSize(1);
        assertThat(read.keyStore().isKeyEntry("server")).isTrue();
        assertThat(read.toString()).isEqualTo("certificate of CN=127.0.0.1");
    }

    @Test
    void the_chain_follows_the_servers_own_certificate_and_other_text_is_ignored() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Files.writeString(
                chain, "subject=weir\n" + Files.readString(rsa.certificate()) + Files.readString(ec.certificate()));
        assertThat(ServerCertificate.read(new TlsFiles(chain, rsa.key()), Instant.now())
                        .chain())
                .hasSize(2);
        assertRefused(chain, ec.key(), ec.key().toString(), "does not belong", "must begin with the certificate");
    }

    @Test
    void a_key_of_another_certificate_is_refused() throws Exception {
        var other = TestCertificate.create(folder, "other", "RSA");
        assertRefused(rsa.certificate(), other.key(), other.key().toString(), "does not belong");
        assertRefused(rsa.certificate(), ec.key(), "does not belong");
    }

    @Test
    void a_certificate_out_of_its_time_is_refused() {
        var now = Instant.now();
        assertThatThrownBy(() -> ServerCertificate.read(rsa.files(), now.plus(Duration.ofDays(1_000))))
                .hasMessageContainingAll(rsa.certificate().toString(), "expired on", "renew");
        assertThatThrownBy(() -> ServerCertificate.read(rsa.files(), now.minus(Duration.ofDays(1))))
                .hasMessageContainingAll("is valid from", "clock");
    }

    @Test
    void files_that_cannot_be_used_are_refused_with_the_way_to_mend_them() throws Exception {
        assertRefused(folder.resolve("none.pem"), rsa.key(), "none.pem", "no such file");
        assertRefused(rsa.certificate(), folder.resolve("none.key"), "private key", "none.key", "no such file");
        assertRefused(folder, rsa.key(), "cannot read the certificate", folder.toString());
        assertRefused(rsa.key(), rsa.key(), "expected a certificate in PEM", "openssl x509");
        assertRefused(rsa.certificate(), rsa.certificate(), "expected a private key in PEM");
        String key = Files.readString(rsa.key());
        for (String kind : new String[] {"RSA", "EC", "ENCRYPTED"}) {
            Path other =
                    Files.writeString(folder.resolve(kind), key.replace("BEGIN PRIVATE", "BEGIN " + kind + " PRIVATE"));
            assertRefused(rsa.certificate(), other, "kind " + kind, "openssl pkcs8 -topk8 -nocrypt -in " + other);
        }
        Path broken = Files.writeString(
                folder.resolve("broken.pem"),
                Files.readString(rsa.certificate()).replace("M", "!A"));
        assertRefused(broken, rsa.key(), "cannot parse a certificate in " + broken);
    }
}
