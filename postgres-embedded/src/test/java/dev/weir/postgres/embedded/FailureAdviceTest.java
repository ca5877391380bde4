package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureAdviceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "could not write to file: No space left on device | the disk is full",
                "could not bind IPv4 address: Address already in use | the port is in use",
                "initdb: error while loading shared libraries: libstdc++.so.6 | install it",
                "initdb: error: could not look up effective user ID 1234: user does not exist | /etc/passwd",
                "exec: postgres: Permission denied | noexec"
            })
    void a_known_failure_comes_with_what_to_do(String said, String remedy) {
        assertThat(FailureAdvice.of(said)).startsWith("; ").contains(remedy);
    }

    @Test
    void an_unknown_failure_stands_for_itself() {
        assertThat(FailureAdvice.of("something else")).isEmpty();
    }

    @Test
    void only_the_last_lines_since_a_start_are_shown(@TempDir Path folder) throws Exception {
        var log = Files.writeString(folder.resolve("log"), "of an earlier start\n");
        var from = Files.size(log);
        Files.writeString(log, "of an earlier start\n" + "more\n".repeat(10_000) + "the reason\n");
        assertThat(FailureAdvice.lastLines(log, from).lines()).hasSize(15).endsWith("the reason");
        assertThat(FailureAdvice.lastLines(log, Files.size(log))).isEmpty();
    }
}
