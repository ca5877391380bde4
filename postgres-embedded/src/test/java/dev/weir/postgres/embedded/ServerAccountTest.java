package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that PostgreSQL never runs as root, and that other accounts run it as themselves. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class ServerAccountTest {
    private static final int COMMITS = 50;
    private static final String NOBODY = TestMachine.NOBODY;

    @TempDir
    private Path temporary;

    @Test
    void an_ordinary_user_runs_it_plainly_and_loses_nothing_when_killed() throws Exception {
        var prefix = TestMachine.asNobody();
        TestMachine.makeTraversable(temporary);
        var classPath = OwnerProcess.copyClassPath(
                TestMachine.makeTraversable(Files.createDirectory(temporary.resolve("classes"))));
        var directory = Files.createDirectory(temporary.resolve("data"), DataDirectory.permissions("rwx------"));
        chown(directory);
        try (var first = OwnerProcess.start(prefix, classPath, directory)) {
            var server = ProcessHandle.of(first.awaitOpened()).orElseThrow();
            assertThat(server.info().user()).hasValue(NOBODY);
            first.awaitCommits(COMMITS);
            first.kill();
            try (var second = OwnerProcess.start(prefix, classPath, directory)) {
                var pid = second.awaitOpened();
                assertThat(TestMachine.servers(directory)).containsExactly(pid);
                second.finish();
            }
            try (var asRoot = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
                assertThat(TestMachine.rows(asRoot, "kept"))
                        .doesNotHaveDuplicates()
                        .containsAll(first.committed());
            }
        }
        TestMachine.awaitNothingRuns(directory);
    }

    @Test
    void the_ordinary_user_who_runs_the_tests_runs_it_plainly() throws Exception {
        assumeThat(TestMachine.isRoot()).as("started as root").isFalse();
        assertThat(ServerAccount.choose(DataDirectory.at(temporary)).prefix()).isEmpty();
    }

    @Test
    void root_steps_down_to_an_ordinary_account_by_every_way_that_is_installed() throws Exception {
        assumeThat(TestMachine.isRoot()).as("started as root").isTrue();
        var directory = TestMachine.makeTraversable(temporary).resolve("data");
        leaveHalfOfAnUnpackingAndOfAnInitdb(directory);
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            var user = ProcessHandle.of(postgres.pid()).orElseThrow().info().user();
            assertThat(user).hasValueSatisfying(name -> assertThat(name).isNotEqualTo("root"));
            assertThat(Files.getOwner(directory.resolve("data")).getName()).isNotEqualTo("root");
            assertThat(Files.getOwner(directory.resolve("password")).getName()).isEqualTo("root");
        }
        TestMachine.awaitNothingRuns(directory);
        expectThatEveryWayDownWorks(DataDirectory.at(directory));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(() -> EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("Run Weir as an ordinary user")
                .hasMessageContaining("it may not enter " + temporary.toRealPath() + " (allow it with chmod o+x)");
    }

    /** JUnit's temporary folder is closed to all other accounts, like root's home. */
    @Test
    void in_a_folder_of_root_it_runs_in_a_namespace_or_explains_what_to_do() throws Exception {
        assumeThat(TestMachine.isRoot()).as("started as root").isTrue();
        var directory = temporary.resolve("data");
        try {
            for (int opens = 0; opens < 2; opens++) {
                try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
                    assertThat(TestMachine.value(postgres, "select 1")).isEqualTo("1");
                    assertThat(ServerAccount.choose(DataDirectory.at(directory)).description())
                            .startsWith("unshare");
                }
            }
        } catch (OpenFailed e) {
            assertThat(e)
                    .hasMessageContaining("it may not enter " + temporary.toRealPath() + " (allow it with chmod o+x");
        }
        TestMachine.awaitNothingRuns(directory);
    }

    private static void expectThatEveryWayDownWorks(DataDirectory home) throws Exception {
        var programs = new PostgresPrograms(
                PostgresPrograms.bundledVersion(), home.programs(PostgresPrograms.bundledVersion()));
        for (var account : ServerAccount.candidates(home, ServerAccount.owner(home.data()))) {
            if (account.refusal(home).isEmpty()) {
                var server = Postmaster.start(ClusterFiles.prepare(home, account, programs), EmbeddedSettings.DEFAULT);
                assertThat(TestMachine.servers(home.directory()))
                        .as(account.description())
                        .containsExactly(server.pid());
                server.stop();
                TestMachine.awaitNothingRuns(home.directory());
            }
        }
    }

    private static void leaveHalfOfAnUnpackingAndOfAnInitdb(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("postgres-" + PostgresPrograms.bundledVersion() + ".new/bin"));
        Files.createDirectories(directory.resolve("data.new/base"));
        Files.createFile(directory.resolve("password.initdb"));
        TestMachine.makeTraversable(directory);
    }

    private static void chown(Path path) throws IOException {
        Files.setOwner(
                path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
    }
}
