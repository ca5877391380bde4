package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks at the machine outside of PostgreSQL: processes by their programs, and accounts. */
final class TestMachine {
    static final String NOBODY = "nobody";

    private static final Duration END_TIMEOUT = Duration.ofSeconds(40);

    private TestMachine() {}

    /** Returns the server processes of a directory, without their child processes. */
    static List<Long> servers(Path directory) throws IOException {
        var running = StaleProcesses.findRunning(DataDirectory.at(directory));
        return running.stream()
                .filter(process -> process.parent()
                        .filter(parent -> !running.contains(parent))
                        .isPresent())
                .map(ProcessHandle::pid)
                .toList();
    }

    static List<ProcessHandle> watchdogs(Path directory) throws IOException {
        var data = DataDirectory.at(directory).data().toString();
        return ProcessHandle.allProcesses()
                .filter(process -> arguments(process).containsAll(List.of("weir-postgres", data)))
                .toList();
    }

    static void awaitNothingRuns(Path directory) {
        await().atMost(END_TIMEOUT).untilAsserted(() -> {
            assertThat(StaleProcesses.findRunning(DataDirectory.at(directory))).isEmpty();
            assertThat(watchdogs(directory)).isEmpty();
        });
    }

    static boolean isRoot() throws IOException {
        return ExternalCommand.run(Path.of("/"), List.of("id", "-u")).output().equals("0");
    }

    /**
     * Returns the command prefix that switches to another account that can run Java. Skips the test if there is none.
     */
    static List<String> asNobody() throws IOException {
        assumeThat(isRoot())
                .as("started as root, which can become somebody else")
                .isTrue();
        assumeThat(ExternalCommand.isInstalled("setpriv"))
                .as("setpriv is installed")
                .isTrue();
        var gid = ExternalCommand.run(Path.of("/"), List.of("id", "-g", NOBODY)).output();
        var prefix = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + gid, "--clear-groups", "--");
        var command = new ArrayList<>(prefix);
        command.addAll(List.of(OwnerProcess.java().toString(), "-version"));
        assumeThat(ExternalCommand.run(Path.of("/"), command).exitCode())
                .as("nobody can read the JDK")
                .isZero();
        return prefix;
    }

    /** Lets every account pass through a folder. */
    static Path makeTraversable(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder;
    }

    static List<Long> rows(EmbeddedPostgres postgres, String table) throws Exception {
        try (var connection = postgres.dataSource().getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery("select n from " + table)) {
            var rows = new ArrayList<Long>();
            while (found.next()) {
                rows.add(found.getLong(1));
            }
            return rows;
        }
    }

    static String value(EmbeddedPostgres postgres, String query) throws Exception {
        try (var connection = postgres.dataSource().getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            found.next();
            return found.getString(1);
        }
    }

    static void execute(EmbeddedPostgres postgres, String sql) throws Exception {
        try (var connection = postgres.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> arguments(ProcessHandle process) {
        return process.info()
                .arguments()
                .map(Stream::of)
                .orElseGet(Stream::empty)
                .toList();
    }
}
