package dev.weir.engine.journal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why the journal did not do what it was asked. */
public abstract sealed class JournalFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private JournalFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Another tenure has begun; this one is over. */
    public static final class Fenced extends JournalFailure {
        private static final long serialVersionUID = 1;

        public Fenced(String message) {
            super(message, null);
        }
    }

    /** The store could not be reached or broke off; what was under way may or may not be written. */
    public static final class Lost extends JournalFailure {
        private static final long serialVersionUID = 1;
        private final transient @Nullable String said;

        /** The connection broke, or there is none. */
        public Lost(String message, Throwable cause) {
            this(message, null, cause);
        }

        /** @param said in short what the store itself gave as the reason, such as that its disk is full */
        public Lost(String message, @Nullable String said, Throwable cause) {
            super(message, cause);
            this.said = said;
        }

        public @Nullable String said() {
            return said;
        }
    }

    /**
     * Something of one organisation could not be read in the time that a read may take. The transaction has ended without
     * writing anything; the tenure goes on.
     */
    public static final class TooSlow extends JournalFailure {
        private static final long serialVersionUID = 1;

        public TooSlow(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The data itself cannot be written. Nothing of the transaction was. */
    public static final class Refused extends JournalFailure {
        private static final long serialVersionUID = 1;

        public Refused(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** What was decided is too old by the clock of the store. Nothing was written. */
    public static final class Late extends JournalFailure {
        private static final long serialVersionUID = 1;

        public Late(String message) {
            super(message, null);
        }
    }

    /** Runs were accepted whose ids belong to runs that ended long ago. Nothing of the transaction was written. */
    public static final class RunsTaken extends JournalFailure {
        private static final long serialVersionUID = 1;
        private final transient String org;
        private final transient Set<String> runs;

        public RunsTaken(String org, Set<String> runs) {
            super("expected new run ids in organisation " + org + ", found taken ones: " + runs, null);
            this.org = org;
            this.runs = Set.copyOf(runs);
        }

        public String org() {
            return org;
        }

        public Set<String> runs() {
            return runs;
        }
    }
}
