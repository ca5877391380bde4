package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a ticket asks for. It is a value that knows its hash: a class is looked up by it for every ticket that comes. */
public final class TicketSpec {
    /** The priorities that a ticket may have, either side of 0. */
    public static final int PRIORITY_MAX = 100;

    private final String module;
    private final List<Need> needs;
    private final Local local;
    private final int priority;
    private final int classHash;

    /**
     * What a ticket asks for.
     *
     * @param module what does the work; only a poll for it can start the ticket
     * @param needs what it asks of shared limits, at most one need for each
     * @param local what it asks of its run
     * @param priority higher goes first; one level is worth {@link Ticket#LEVEL} of age
     */
    public TicketSpec(String module, List<Need> needs, Local local, int priority) {
        if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException(
                    "priority must be from -" + PRIORITY_MAX + " to " + PRIORITY_MAX + ", found " + priority);
        }
        if (needs.size() > 1) {
            Set<LimitId> seen = new HashSet<>();
            for (Need need : needs) {
                if (!seen.add(need.limit())) {
                    throw new IllegalArgumentException("a ticket may need a limit once, found twice: " + need.limit());
                }
            }
        }
        this.module = module;
        this.needs = List.copyOf(needs);
        this.local = local;
        this.priority = priority;
        this.classHash = 31 * module.hashCode() + this.needs.hashCode();
    }

    public String module() {
        return module;
    }

    public List<Need> needs() {
        return needs;
    }

    public Local local() {
        return local;
    }

    public int priority() {
        return priority;
    }

    /** Whether tickets of both are of one class: what they ask of their runs, and their priority, may differ. */
    boolean sameClass(TicketSpec other) {
        return classHash == other.classHash && needs.equals(other.needs) && module.equals(other.module);
    }

    /** The same for all that are of one class. */
    int classHash() {
        return classHash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof TicketSpec spec
                        && priority == spec.priority
                        && sameClass(spec)
                        && local.equals(spec.local));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * classHash + local.hashCode()) + priority;
    }

    @Override
    public String toString() {
        return "TicketSpec[module=" + module + ", needs=" + needs + ", local=" + local + ", priority=" + priority + "]";
    }

    public static TicketSpec of(String module, Need... needs) {
        return new TicketSpec(module, List.of(needs), Local.PLAIN, 0);
    }

    /**
     * What a ticket asks of its run.
     *
     * @param fanOut the fan-out that it is an item of, if any
     */
    public record Local(
            int slots, boolean exclusive, @Nullable FanOut fanOut) {
        public static final Local PLAIN = new Local(1, false, null);

        public Local {
            if (slots < 1) {
                throw new IllegalArgumentException("slots must be at least 1, found " + slots);
            }
        }

        /** Whether it can be overtaken in its run by others that ask for less. */
        boolean heavy() {
            return slots > 1 || exclusive;
        }
    }
}
