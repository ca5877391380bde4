package dev.weir.engine.journal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A failure of the journal to do what was asked. */
public abstract sealed class JournalFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private JournalFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Another owner has taken the shard; this ownership is over. */
    public static final class Fenced extends JournalFailure {
        private static final long serialVersionUID = 1;

        public Fenced(String message) {
            super(message, null);
        }
    }

    /** The store was unreachable or broke off. The operation under way may or may not have been written. */
    public static final class Lost extends JournalFailure {
        private static final long serialVersionUID = 1;
        private final transient @Nullable String storeReason;

        /** Creates a failure without a reason from the store, for a broken or missing connection. */
        public Lost(String message, Throwable cause) {
            this(message, null, cause);
        }

        /**
         * Creates a failure with the store's own reason.
         *
         * @param storeReason short reason that the store itself gave, such as a full disk
         */
        public Lost(String message, @Nullable String storeReason, Throwable cause) {
            super(message, cause);
            this.storeReason = storeReason;
        }

        public @Nullable String storeReason() {
            return storeReason;
        }
    }

    /**
     * A read of one organisation took longer than allowed. The transaction ended without writing anything; the
     * ownership continues.
     */
    public static final class TooSlow extends JournalFailure {
        private static final long serialVersionUID = 1;

        public TooSlow(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The data itself cannot be written. Nothing of the transaction was written. */
    public static final class Refused extends JournalFailure {
        private static final long serialVersionUID = 1;

        public Refused(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The decision is too old by the store's clock. Nothing was written. */
    public static final class TooOld extends JournalFailure {
        private static final long serialVersionUID = 1;

        public TooOld(String message) {
            super(message, null);
        }
    }

    /** Accepted runs have ids of runs that ended long ago. Nothing of the transaction was written. */
    public static final class RunIdsInUse extends JournalFailure {
        private static final long serialVersionUID = 1;
        private final transient String org;
        private final transient Set<String> runs;

        public RunIdsInUse(String org, Set<String> runs) {
            super("expected new run ids in organisation " + org + ", found ids that are in use: " + runs, null);
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
