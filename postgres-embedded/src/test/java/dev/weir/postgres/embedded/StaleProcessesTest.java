package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the processes and files that a killed owner leaves, and the next start in the same directory. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class StaleProcessesTest {
    private static final int COMMITS = 50;

    @TempDir
    private static Path temporary;

    private static Path directory;

    @BeforeAll
    static void make_a_folder_that_all_accounts_can_pass() throws IOException {
        directory = TestMachine.makeTraversable(temporary).resolve("data");
    }

    @AfterEach
    void nothing_is_left_running() {
        TestMachine.awaitNothingRuns(directory);
    }

    @Test
    void a_killed_owner_leaves_no_process() throws Exception {
        try (var owner = OwnerProcess.start(directory)) {
            var pid = owner.awaitOpened();
            assertThat(TestMachine.servers(directory)).containsExactly(pid);
            owner.kill();
        }
        TestMachine.awaitNothingRuns(directory);
    }

    @Test
    void all_committed_rows_are_there_after_the_owner_was_killed() throws Exception {
        try (var owner = OwnerProcess.start(directory)) {
            owner.awaitOpened();
            owner.awaitCommits(COMMITS);
            owner.kill();
            expectRowsAndOneServer(owner);
        }
    }

    @Test
    void an_orphan_that_lost_its_watchdog_too_is_stopped_and_its_rows_are_kept() throws Exception {
        try (var owner = OwnerProcess.start(directory)) {
            var orphan = ProcessHandle.of(owner.awaitOpened()).orElseThrow();
            owner.awaitCommits(COMMITS);
            TestMachine.watchdogs(directory).forEach(ProcessHandle::destroyForcibly);
            owner.kill();
            assertThat(orphan.isAlive()).isTrue();
            expectRowsAndOneServer(owner);
            assertThat(StaleProcesses.findRunning(DataDirectory.at(directory))).doesNotContain(orphan);
        }
    }

    @Test
    void an_owner_that_ends_without_closing_leaves_no_process() throws Exception {
        try (var owner = OwnerProcess.start(directory)) {
            owner.awaitOpened();
            ProcessHandle.of(owner.pid()).orElseThrow().destroy();
            TestMachine.awaitNothingRuns(directory);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rubbish\n", "-1\n", "99999999999999999999\n", "\0\0\0"})
    void a_damaged_pid_file_is_no_obstacle(String text) throws Exception {
        EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT).close();
        writePidFile(text);
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThat(TestMachine.servers(directory)).containsExactly(postgres.pid());
        }
    }

    @Test
    void a_pid_that_was_given_to_another_process_is_neither_adopted_nor_killed() throws Exception {
        EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT).close();
        var stranger = new ProcessBuilder("sh", "-c", "read -r nothing").start();
        try {
            for (var pid : List.of(stranger.pid(), ProcessHandle.current().pid(), 1L)) {
                writePidFile(pid + "\n" + directory + "/data\n1\n5432\n\n127.0.0.1\n  1  1\nready   \n");
                try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
                    assertThat(postgres.pid()).isNotEqualTo(pid);
                    assertThat(TestMachine.servers(directory)).containsExactly(postgres.pid());
                }
            }
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void a_server_of_somebody_else_on_our_data_is_left_alone_and_named() throws Exception {
        EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT).close();
        var program = Files.copy(Path.of("/bin/sh").toRealPath(), temporary.resolve("postgres"));
        var stranger = new ProcessBuilder(program.toString(), "-c", "read -r nothing").start();
        try {
            writePidFile(stranger.pid() + "\n");
            assertThatThrownBy(() -> EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT))
                    .isInstanceOf(OpenFailed.class)
                    .hasMessageContaining("names pid " + stranger.pid() + ", which runs " + program)
                    .hasMessageContaining("Stop it");
            assertThat(stranger.isAlive()).isTrue();
            assertThat(directory.resolve("data/postmaster.pid")).exists();
        } finally {
            stranger.destroyForcibly().waitFor();
        }
        EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT).close();
    }

    private static void writePidFile(String text) throws IOException {
        var home = DataDirectory.at(directory);
        Files.writeString(home.pidFile(), text);
        ServerAccount.choose(home).chown(home.pidFile());
    }

    private static void expectRowsAndOneServer(OwnerProcess killed) throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThat(TestMachine.servers(directory)).containsExactly(postgres.pid());
            assertThat(TestMachine.rows(postgres, "kept"))
                    .doesNotHaveDuplicates()
                    .containsAll(killed.committed());
        }
    }
}
