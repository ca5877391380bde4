package dev.weir.engine.records;

/**
 * A database login that reads the limits and counters of one organisation.
 *
 * @param database where to connect: host, port and name of the database
 */
public record ReaderLogin(String login, String password, String database) {
    /** Hides the password. */
    @Override
    public String toString() {
        return "login " + login + " at " + database;
    }
}
