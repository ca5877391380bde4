package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * The files of a database server. {@code initdb} creates them once, and only those of the bundled major version are
 * used.
 *
 * @param password the superuser's password
 */
record ClusterFiles(DataDirectory home, ServerAccount account, PostgresPrograms programs, String password) {
    static final String SUPERUSER = "postgres";

    private static final Duration INITDB_TIMEOUT = Duration.ofMinutes(2);
    private static final int PASSWORD_BYTES = 24;

    /** Refuses files of another major version before anything is changed. */
    static void checkVersion(DataDirectory home, String version) throws IOException {
        if (!Files.exists(home.data())) {
            return;
        }
        var file = home.data().resolve("PG_VERSION");
        if (!Files.exists(file)) {
            throw new OpenFailed("expected " + file + ", found no such file: Weir did not create " + home.data()
                    + "; choose another directory, or restore this one from a backup");
        }
        var found = Files.readString(file).strip();
        var major = version.split("\\.", 2)[0];
        if (!found.equals(major)) {
            throw new OpenFailed("PostgreSQL " + found + " created " + home.data() + ", but this Weir includes"
                    + " PostgreSQL " + major + ", which cannot read it. Open the directory with the Weir that created"
                    + " it, export the data with 'pg_dump' of version " + found + " (user " + SUPERUSER
                    + ", password in " + home.password() + "), and import it into a new directory with 'psql'");
        }
    }

    static ClusterFiles prepare(DataDirectory home, ServerAccount account, PostgresPrograms programs)
            throws IOException {
        if (Files.exists(home.data())) {
            return new ClusterFiles(home, account, programs, readPassword(home));
        }
        if (!Files.exists(home.password())) {
            home.writeSecret(home.password(), newPassword() + "\n");
        }
        var cluster = new ClusterFiles(home, account, programs, readPassword(home));
        cluster.initialise();
        return cluster;
    }

    /**
     * Runs {@code initdb} in a folder with a temporary name and renames it at the end, so that a crash half-way leaves
     * no incomplete server.
     */
    private void initialise() throws IOException {
        var unfinished = home.directory().resolve("data.new");
        var passwordForInitdb = home.directory().resolve("password.initdb");
        DataDirectory.deleteTree(unfinished);
        Files.createDirectory(unfinished, DataDirectory.permissions("rwx------"));
        account.chown(unfinished);
        home.writeSecret(passwordForInitdb, password);
        account.chown(passwordForInitdb);
        var logStart = Files.size(home.log());
        var command = List.of(
                programs.program("initdb").toString(),
                "--pgdata=" + unfinished,
                "--username=" + SUPERUSER,
                "--pwfile=" + passwordForInitdb,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                // Text is sorted by code points on every machine, whatever its libraries. An index stays valid after an
                // upgrade of the operating system.
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--data-checksums",
                "--no-instructions");
        try {
            var exit = ExternalCommand.run(home.directory(), account.command(command), home.log(), INITDB_TIMEOUT);
            if (exit != 0) {
                var output = FailureAdvice.lastLines(home.log(), logStart);
                throw new OpenFailed("initdb failed in " + home.directory() + " with exit code " + exit
                        + FailureAdvice.of(output) + ". It ran with " + account.description() + "; its output ("
                        + home.log() + "):\n" + output);
            }
        } finally {
            Files.deleteIfExists(passwordForInitdb);
        }
        home.publish(unfinished, home.data());
    }

    private static String readPassword(DataDirectory home) throws IOException {
        if (!Files.exists(home.password())) {
            throw new OpenFailed("expected the password of " + home.data() + " in " + home.password()
                    + ", found no such file: restore it from a backup");
        }
        return Files.readString(home.password()).strip();
    }

    private static String newPassword() {
        var bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
