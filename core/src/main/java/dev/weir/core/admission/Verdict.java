package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import java.util.EnumMap;
import java.util.Map;

/**
 * The decision about a ticket: it may start, or what holds it. Every verdict is a shared object, so that a judgement
 * allocates nothing.
 */
sealed interface Verdict {
    /** True if the ticket may start. */
    default boolean admits() {
        return this instanceof Admit;
    }

    /** All limits admit the ticket. */
    enum Admit implements Verdict, LimitVerdict {
        INSTANCE;

        @Override
        public boolean admits() {
            return true;
        }
    }

    /** The fan-out of the item is closed, so no more of its items start. No limit holds the ticket. */
    enum Closed implements Verdict {
        INSTANCE
    }

    /** One of the run's own limits holds the ticket. Its lane is parked at the run. */
    record HeldByRun(Hold hold) implements Verdict {
        private static final Map<LimitId.Local, Map<HoldCause, HeldByRun>> ALL = new EnumMap<>(LimitId.Local.class);

        static {
            for (LimitId.Local limit : LimitId.Local.values()) {
                Map<HoldCause, HeldByRun> byCause = new EnumMap<>(HoldCause.class);
                for (HoldCause cause : HoldCause.values()) {
                    byCause.put(cause, new HeldByRun(new Hold(limit, cause)));
                }
                ALL.put(limit, byCause);
            }
        }

        static HeldByRun of(LimitId.Local limit, HoldCause cause) {
            HeldByRun held = ALL.getOrDefault(limit, Map.of()).get(cause);
            return held == null ? new HeldByRun(new Hold(limit, cause)) : held;
        }
    }

    /** A shared limit holds the ticket. Its class is parked at the demand. */
    record HeldByLimit(SharedDemand demand) implements Verdict {}
}
