package dev.weir.postgres.sql;

import dev.weir.engine.journal.JournalFailure;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a failure of PostgreSQL means, told by its SQLSTATE. */
public final class Failures {
    /** Raised by the fence when a later epoch was committed. */
    public static final String FENCED = "WE001";

    /** Raised by the fence when a decision is too old. */
    public static final String LATE = "WE002";

    public static final String LOCK_TIMEOUT = "55P03";

    /** A statement took longer than it may, or was cancelled by somebody. The connection is as good as before. */
    public static final String CANCELLED = "57014";

    public static final String UNIQUE_VIOLATION = "23505";

    /**
     * Classes of failures that would come again: bad data, broken constraints, mistakes in statements, limits of the
     * program.
     */
    private static final Set<String> REFUSED = Set.of("21", "22", "23", "42", "44", "54");

    /** Characters of what the server says that are handed on to those who wait. */
    private static final int SAID_MAX = 200;

    private Failures() {}

    public static JournalFailure of(String during, SQLException failure) {
        String state = failure.getSQLState();
        String message = during + ": PostgreSQL answered " + state + ", " + failure.getMessage();
        if (FENCED.equals(state)) {
            return new JournalFailure.Fenced(message);
        }
        if (LATE.equals(state)) {
            return new JournalFailure.Late(message);
        }
        return refused(state)
                ? new JournalFailure.Refused(message, failure)
                : new JournalFailure.Lost(message, said(failure), failure);
    }

    /** In short what the server gave as the reason; nothing if it is only that the connection broke, or the server stops. */
    public static @Nullable String said(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.startsWith("08") || state.startsWith("57P")) {
            return null;
        }
        String first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return "PostgreSQL " + state + ": " + first.substring(0, Math.min(SAID_MAX, first.length()));
    }

    private static boolean refused(@Nullable String state) {
        return state != null && state.length() >= 2 && REFUSED.contains(state.substring(0, 2));
    }
}
