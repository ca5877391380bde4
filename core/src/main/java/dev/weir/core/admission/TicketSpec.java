package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The demands of a ticket: its module, its needs and its priority. The object caches its hash, because admission looks
 * up a class by it for every new ticket.
 */
public final class TicketSpec {
    /** Maximum priority of a ticket; the minimum is its negative. */
    public static final int PRIORITY_MAX = 100;
    /** The priority of a ticket that an operator put ahead of all others: more than any age and priority are worth. */
    public static final int RUN_NOW_PRIORITY = 1_000_000;

    private final String module;
    private final List<LimitNeed> needs;
    private final RunDemand runDemand;
    private final int priority;
    private final int classHash;

    /**
     * Creates the demands of a ticket.
     *
     * @param module the module that does the work; only a poll for it can start the ticket
     * @param needs the needs of shared limits, at most one for each limit
     * @param runDemand the demand on the ticket's own run
     * @param priority higher goes first; one level is worth {@link Ticket#PRIORITY_LEVEL_MICROS} of age
     */
    public TicketSpec(String module, List<LimitNeed> needs, RunDemand runDemand, int priority) {
        if (priority != RUN_NOW_PRIORITY && (priority < -PRIORITY_MAX || priority > PRIORITY_MAX)) {
            throw new IllegalArgumentException(
                    "priority must be from -" + PRIORITY_MAX + " to " + PRIORITY_MAX + ", found " + priority);
        }
        if (needs.size() > 1) {
            Set<LimitId> seen = new HashSet<>();
            for (LimitNeed need : needs) {
                if (!seen.add(need.limit())) {
                    throw new IllegalArgumentException(
                            "expected each limit only once in a ticket, found twice: " + need.limit());
                }
            }
        }
        this.module = module;
        this.needs = List.copyOf(needs);
        this.runDemand = runDemand;
        this.priority = priority;
        this.classHash = 31 * module.hashCode() + this.needs.hashCode();
    }

    public String module() {
        return module;
    }

    public List<LimitNeed> needs() {
        return needs;
    }

    public RunDemand runDemand() {
        return runDemand;
    }

    public int priority() {
        return priority;
    }

    /**
     * True if tickets of both specs belong to one class. Their demands on their runs, and their priorities, may differ.
     */
    boolean sameClass(TicketSpec other) {
        return classHash == other.classHash && needs.equals(other.needs) && module.equals(other.module);
    }

    /** A hash that all specs of one class share. */
    int classHash() {
        return classHash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof TicketSpec spec
                        && priority == spec.priority
                        && sameClass(spec)
                        && runDemand.equals(spec.runDemand));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * classHash + runDemand.hashCode()) + priority;
    }

    @Override
    public String toString() {
        return "TicketSpec[module=" + module + ", needs=" + needs + ", local=" + runDemand + ", priority=" + priority
                + "]";
    }

    public static TicketSpec of(String module, LimitNeed... needs) {
        return new TicketSpec(module, List.of(needs), RunDemand.DEFAULT, 0);
    }

    /**
     * The demand of a ticket on its own run.
     *
     * @param fanOut the fan-out that the ticket is an item of, if any
     */
    public record RunDemand(
            int slots, boolean exclusive, @Nullable FanOutLimit fanOut) {
        public static final RunDemand DEFAULT = new RunDemand(1, false, null);

        public RunDemand {
            if (slots < 1) {
                throw new IllegalArgumentException("slots must be at least 1, found " + slots);
            }
        }

        /** True if tickets of the same run that ask for less can overtake it. */
        boolean canBeOvertaken() {
            return slots > 1 || exclusive;
        }
    }
}
