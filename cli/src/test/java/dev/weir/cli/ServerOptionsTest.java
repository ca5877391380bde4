package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ServerOptionsTest {
    @TempDir
    Path folder;

    @BeforeEach
    void save_a_profile() throws IOException {
        Path data = Files.createDirectory(folder.resolve(ServerOptions.DATA_FOLDER));
        Files.writeString(
                data.resolve("profile.json"), "{\"url\": \"http://weir.internal:7077\", \"token\": \"noted\"}");
    }

    private static ServerOptions remote(String... arguments) {
        var remote = new ServerOptions();
        new CommandLine(new Holder(remote)).parseArgs(arguments);
        return remote;
    }

    @CommandLine.Command
    private record Holder(@CommandLine.Mixin ServerOptions remote) {}

    @Test
    void the_saved_profile_is_used_when_no_option_is_given() throws IOException {
        var connection = remote().connection(Map.of(), folder);

        assertThat(connection.url()).hasToString("http://weir.internal:7077");
        assertThat(connection.token()).isEqualTo("noted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://weir.internal:7077/", "http://127.0.0.1:9", "http://localhost:7077"})
    void the_saved_token_is_sent_to_its_own_server_and_to_this_machine(String url) throws IOException {
        assertThat(remote("--url", url).connection(Map.of(), folder).token()).isEqualTo("noted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://elsewhere.invalid:7077", "http://weir.internal:7078", "http://127.0.0.1.evil.invalid"})
    void the_saved_token_is_sent_nowhere_else(String url) {
        assertThatThrownBy(() -> remote("--url", url).connection(Map.of(), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no API token for " + url);
        assertThatThrownBy(() -> remote().connection(Map.of("WEIR_URL", url), folder))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_token_option_is_sent_to_the_url_of_the_command_line() throws IOException {
        var connection =
                remote("--url", "http://elsewhere.invalid:1", "--token", "mine").connection(Map.of(), folder);

        assertThat(connection.token()).isEqualTo("mine");
    }

    @Test
    void an_unreadable_profile_is_named() throws IOException {
        Path file = folder.resolve(ServerOptions.DATA_FOLDER).resolve("profile.json");
        Files.setPosixFilePermissions(file, Set.of());
        assumeThat(Files.isReadable(file)).as("not started as root").isFalse();
        assertThatThrownBy(() -> remote().connection(Map.of(), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("run the command as a user who may read " + file)
                .hasMessageContaining(System.getProperty("user.name") + " may not");
    }
}
