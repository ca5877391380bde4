package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Secrets.SecretRequest;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretsEndToEndTest {
    private static final String VALUE = "open-sesame-4711";

    private static Path key(Path folder, String name, int fill) throws Exception {
        byte[] key = new byte[32];
        java.util.Arrays.fill(key, (byte) fill);
        Path file = folder.resolve(name);
        Files.writeString(file, Base64.getEncoder().encodeToString(key) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** Returns every row of every table that contains the text. */
    static List<String> rowsWith(Connection database, String text) throws Exception {
        List<String> tables = new ArrayList<>();
        try (var found = database.createStatement()
                .executeQuery("select relname from pg_class where relnamespace = 'weir'::regnamespace"
                        + " and relkind in ('r', 'p') and not relispartition")) {
            while (found.next()) {
                tables.add(found.getString(1));
            }
        }
        assertThat(tables).contains("secrets", "runs", "audit_entries");
        List<String> rows = new ArrayList<>();
        for (String table : tables) {
            try (var search = database.prepareStatement(
                    "select '" + table + ' ' + "' || t::text from weir." + table + " t where t::text like ?")) {
                search.setString(1, "%" + text + "%");
                try (var found = search.executeQuery()) {
                    while (found.next()) {
                        rows.add(found.getString(1));
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void a_secret_survives_a_kill_is_in_no_table_and_a_wrong_key_leaves_the_node_up() throws Exception {
        var parent =
                Path.of("target", "secrets-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path right = key(parent, "right.key", 1);
        Path wrong = key(parent, "wrong.key", 2);
        try (var postgres = EmbeddedPostgres.open(parent.resolve("postgres"), EmbeddedSettings.DEFAULT);
                var database = postgres.dataSource().getConnection()) {
            String url = postgres.jdbcUrl() + "?user=" + postgres.user() + "&password=" + postgres.password();
            try (var driver =
                    new NodeDriver("secrets", List.of("--database", url, "--secrets-key", right.toString()))) {
                driver.client.governance().setSecret("BILLING", SecretRequest.of(VALUE, "first"));
                driver.apply("pay", "steps: [{id: a, uses: pay.m, with: {token: '${{ secrets.BILLING }}'}}]");
                driver.node.restart();
                driver.start("pay", "r", null);
                var claim = driver.claim("pay.m");
                assertThat(String.valueOf(claim.input())).contains(VALUE);
                driver.complete(claim, "{'echo': 'it was " + VALUE + "'}");
                driver.awaitEnd("r", "completed");
                assertThat(driver.step("r", "a").toString())
                        .contains("it was ***")
                        .doesNotContain(VALUE);
                assertThat(rowsWith(database, VALUE)).isEmpty();
                assertThat(rowsWith(database, "BILLING")).isNotEmpty();
                assertThat(driver.runCommand("secrets", "list"))
                        .contains("BILLING")
                        .doesNotContain(VALUE);
            }
            try (var driver =
                    new NodeDriver("wrong-key", List.of("--database", url, "--secrets-key", wrong.toString()))) {
                assertThat(driver.client.health().status()).isEqualTo("degraded");
                assertThat(driver.client.health().findings().toString()).contains("secrets cannot be read");
                driver.start("pay", "s", null);
                driver.poll("pay.m", "5s");
                driver.awaitEnd("s", "failed");
                assertThat(driver.step("s", "a").toString()).contains("BILLING", "does not have the key");
                driver.start("plain", "steps: [{id: a, uses: plain.m}]");
                driver.complete(driver.claim("plain.m"), "1");
                driver.awaitEnd("plain", "completed");
            }
        }
    }
}
