package dev.weir.postgres.sql;

import dev.weir.engine.journal.JournalFailure;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies failures of PostgreSQL by their SQLSTATE. */
public final class SqlFailures {
    /** Raised by the fence if a later epoch was committed. */
    public static final String FENCED = "WE001";

    /** Raised by the fence if a decision is too old. */
    public static final String LATE = "WE002";

    public static final String LOCK_TIMEOUT = "55P03";

    /** A statement timed out or was cancelled by somebody. The connection can still be used. */
    public static final String CANCELLED = "57014";

    public static final String UNIQUE_VIOLATION = "23505";

    /**
     * Classes of failures that a retry would repeat: bad data, violated constraints, errors in statements, limits of
     * the program.
     */
    private static final Set<String> PERMANENT_CLASSES = Set.of("21", "22", "23", "42", "44", "54");

    /** The most characters of the server's message that are passed on to callers. */
    private static final int REASON_CHARS_MAX = 200;

    private SqlFailures() {}

    public static JournalFailure of(String operation, SQLException failure) {
        String state = failure.getSQLState();
        String message = operation + ": PostgreSQL reported " + state + ", " + failure.getMessage();
        if (FENCED.equals(state)) {
            return new JournalFailure.Fenced(message);
        }
        if (LATE.equals(state)) {
            return new JournalFailure.TooOld(message);
        }
        return isPermanent(state)
                ? new JournalFailure.Refused(message, failure)
                : new JournalFailure.Lost(message, reason(failure), failure);
    }

    /** Returns the server's reason in short; null if the connection just broke or the server is stopping. */
    public static @Nullable String reason(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.startsWith("08") || state.startsWith("57P")) {
            return null;
        }
        String first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return "PostgreSQL " + state + ": " + first.substring(0, Math.min(REASON_CHARS_MAX, first.length()));
    }

    private static boolean isPermanent(@Nullable String state) {
        return state != null && state.length() >= 2 && PERMANENT_CLASSES.contains(state.substring(0, 2));
    }
}
