package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests arguments that nobody means. They are refused with a reason before any request is sent, and are not
 * reported as a bug in Weir.
 */
class InvalidArgumentsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "{", "1e400", "{\"a\":1,\"a\":2}", "\"\\u0000\"", "\"\\ud800\"", "1 2", "nothing", "NaN"
            })
    void invalid_json_is_refused(String json) {
        assertThat(refused(2, "start", "w", "--input", json)).contains("--input: expected JSON");
        assertThat(refused(2, "signal", "r", "s", json))
                .contains("JSON: expected JSON")
                .doesNotContain("Source");
    }

    @Test
    void deep_json_is_refused() {
        assertThat(refused(2, "start", "w", "--input", "[".repeat(100) + "]".repeat(100)))
                .contains("nesting depth");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", ".."})
    void an_invalid_id_is_refused(String id) {
        for (List<String> command : List.of(
                List.of("steps", id),
                List.of("why", id),
                List.of("time", id),
                List.of("cancel", id),
                List.of("logs", "r", id),
                List.of("approve", "r", id),
                List.of("signal", "r", id))) {
            assertThat(refused(2, command.toArray(String[]::new))).contains("expected an id, found '" + id + "'");
        }
    }

    @Test
    void a_worker_does_at_least_one_job() {
        for (String jobs : List.of("0", "-1")) {
            assertThat(refused(2, "work", "m", "--exec", "true", "--count", jobs))
                    .contains("expected at least 1");
        }
    }

    @Test
    void a_file_that_cannot_be_read_is_named(@TempDir Path folder) throws IOException {
        Path latin = folder.resolve("latin.yaml");
        Files.write(latin, new byte[] {'a', ':', ' ', (byte) 0xE9});
        for (String command : List.of("apply", "simulate")) {
            assertThat(refused(1, command, latin.toString())).contains(latin + ": expected UTF-8 text");
            assertThat(refused(1, command, folder.toString())).contains(folder + ": expected a file");
        }
        assertThat(refused(1, "start", "w", "--input", "@" + latin)).contains(latin + ": expected UTF-8 text");
    }

    @Test
    void a_node_is_refused_by_the_names_of_its_options(@TempDir Path folder) throws IOException {
        assertThat(refused(2, "up", "--data", "")).contains("--data: expected a folder, found an empty name");
        assertThat(refused(1, "runs", "--data", "")).contains("--data: expected a folder, found an empty name");
        assertThat(refused(2, "up", "--allow-call", "http://x")).contains("--allow-call: expected a host");
        assertThat(refused(2, "up", "--calls", "0")).contains("--calls: expected 1 to");
        for (String age : List.of("0", "10", "-1d", "soon", "")) {
            assertThat(refused(2, "up", "--keep-history", age))
                    .contains("--keep-history: expected a duration with a unit, such as 30d or 12h, found '" + age);
        }
        for (String age : List.of("0d", "59m", "-PT1H", "36501d")) {
            assertThat(refused(2, "up", "--keep-history", age))
                    .contains("--keep-history: expected 1h to 36500d, found ");
        }
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThat(refused(1, "up", "--port", "0", "--data", file.toString()))
                .contains("expected a folder at " + file + ", found a file");
    }

    @Test
    void an_unusable_listen_address_is_reported_before_anything_is_created(@TempDir Path folder) {
        String data = folder.resolve("data").toString();
        assertThat(refused(1, "up", "--port", "0", "--data", data, "--host", "a..b"))
                .contains("cannot listen on a..b: unknown host", "--host");
        assertThat(refused(1, "up", "--port", "0", "--data", data, "--host", "192.0.2.1"))
                .contains("cannot listen on 192.0.2.1", "this machine does not have the address", "--host");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void a_certificate_that_cannot_be_used_and_a_wrong_base_url_are_refused_before_anything_starts(
            @TempDir Path folder) {
        String data = folder.resolve("tls").toString();
        assertThat(refused(2, "up", "--data", data, "--tls-cert", "cert.pem"))
                .contains("expected --tls-cert and --tls-key together, found only --tls-cert");
        assertThat(refused(1, "up", "--data", data, "--tls-cert", "none.pem", "--tls-key", "none.key"))
                .contains("expected the certificate of the server in none.pem, found no such file");
        assertThat(refused(2, "up", "--data", data, "--base-url", "weir.example"))
                .contains("--base-url: expected a URL such as https://weir.example, without a path");
        assertThat(folder.resolve("tls")).doesNotExist();
    }

    @Test
    void passwords_of_databases_are_not_shown() {
        assertThat(refused(2, "up", "--database", "jdbc:postgresql://ann:hidden@db/weir"))
                .contains("PGUSER and PGPASSWORD", "?user=")
                .doesNotContain("hidden");
        assertThat(refused(2, "up", "--database", "jdbc:mysql://db/weir?password=hidden"))
                .doesNotContain("hidden");
        var database = UpCommand.database("jdbc:postgresql://db/weir?user=ann&password=hidden&ssl=true", Map.of());
        assertThat(database.password()).isEqualTo("hidden");
        assertThat(database).hasToString("jdbc:postgresql://db/weir?user=ann&password=…&ssl=true as ann");
    }

    @Test
    void a_worker_needs_a_module_of_workers_and_a_command() {
        for (String module : List.of("", " ", "weir.call")) {
            assertThat(refused(2, "work", module, "--exec", "true")).contains("MODULE: expected", "'" + module + "'");
        }
        assertThat(refused(2, "work", "m", "--exec", " ")).contains("--exec: expected a command");
    }

    @Test
    void the_suggested_commands_reach_the_node_that_printed_them() {
        Path here = Path.of("here").toAbsolutePath();
        assertThat(WelcomeMessage.dataOption(here.resolve(".weir"), here)).isEmpty();
        assertThat(WelcomeMessage.dataOption(Path.of("/else/ann's data"), here))
                .isEqualTo(" --data '/else/ann'\\''s data'");
    }

    private static String refused(int status, String... arguments) {
        var err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!List.of("simulate", "up").contains(arguments[0])) {
            all.addAll(List.of("--url", "http://127.0.0.1:1", "--token", "none"));
        }
        int exit = Main.commandLine().setErr(new PrintWriter(err, true)).execute(all.toArray(String[]::new));
        assertThat(exit).as(all + ": " + err).isEqualTo(status);
        return err.toString();
    }
}
