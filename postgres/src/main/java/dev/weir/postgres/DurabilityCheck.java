package dev.weir.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether a PostgreSQL, embedded or not, keeps what it has committed. It reads the settings in the session of
 * the connection, because a role or a database can have settings of its own.
 *
 * @param version the server's version as text, such as 18.4
 * @param findings the settings that break the promise that no answered request is lost; empty if there are none
 */
public record DurabilityCheck(String version, List<Finding> findings) {
    /** The oldest major version that Weir works with. */
    public static final int MAJOR_VERSION_MIN = 15;

    private static final int VERSION_NUMBERS_PER_MAJOR = 10_000;

    private static final String SETTINGS_QUERY = """
            select current_setting('server_version_num')::int as number,
                   current_setting('server_version')          as version,
                   current_setting('fsync')                   as fsync,
                   current_setting('full_page_writes')        as full_page_writes,
                   current_setting('synchronous_commit')      as synchronous_commit
            """;

    /**
     * A setting that makes the server less durable.
     *
     * @param setting its name in PostgreSQL
     * @param value its value
     * @param message the possible loss, and how to fix it
     */
    public record Finding(String setting, String value, String message) {}

    public DurabilityCheck {
        findings = List.copyOf(findings);
    }

    public static DurabilityCheck of(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(SETTINGS_QUERY)) {
            row.next();
            return check(
                    row.getInt("number"),
                    row.getString("version"),
                    row.getString("fsync"),
                    row.getString("full_page_writes"),
                    row.getString("synchronous_commit"));
        }
    }

    /** True if Weir can promise that no answered request is lost. */
    public boolean isDurable() {
        return findings.isEmpty();
    }

    static DurabilityCheck check(
            int versionNumber, String version, String fsync, String fullPageWrites, String synchronousCommit) {
        var findings = new ArrayList<Finding>();
        if (versionNumber / VERSION_NUMBERS_PER_MAJOR < MAJOR_VERSION_MIN) {
            findings.add(new Finding(
                    "server_version",
                    version,
                    "expected PostgreSQL " + MAJOR_VERSION_MIN + " or newer, found " + version
                            + ": upgrade the server"));
        }
        if (!fsync.equals("on")) {
            findings.add(notOn(
                    "fsync",
                    fsync,
                    "a crash of the machine or a power cut can lose commits and destroy the whole database",
                    "in postgresql.conf, and reload the configuration"));
        }
        if (!fullPageWrites.equals("on")) {
            findings.add(notOn(
                    "full_page_writes",
                    fullPageWrites,
                    "a power cut can destroy a page that is being written",
                    "in postgresql.conf, and reload the configuration"));
        }
        // Every other value waits at least until the commit is on this server's own disk.
        if (synchronousCommit.equals("off")) {
            findings.add(notOn(
                    "synchronous_commit",
                    synchronousCommit,
                    "a crash of the server can lose the last commits",
                    "for the server, or for Weir's role and database with ALTER ROLE and ALTER DATABASE"));
        }
        return new DurabilityCheck(version, findings);
    }

    private static Finding notOn(String setting, String found, String loss, String where) {
        return new Finding(
                setting,
                found,
                setting + ": expected on, found " + found + ": " + loss + "; set " + setting + " = on " + where);
    }
}
