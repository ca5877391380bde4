package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a ticket asks for.
 *
 * @param module what does the work; only a poll for it can start the ticket
 * @param needs what it asks of shared limits, at most one need for each
 * @param local what it asks of its run
 * @param priority higher goes first; one level is worth {@link Ticket#LEVEL} of age
 */
public record TicketSpec(String module, List<Need> needs, Local local, int priority) {
    /** The priorities that a ticket may have, either side of 0. */
    public static final int PRIORITY_MAX = 100;

    public TicketSpec {
        needs = List.copyOf(needs);
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
    }

    /** Whether tickets of both are of one class: what they ask of their runs, and when, may differ. */
    boolean sameClass(TicketSpec other) {
        return needs.equals(other.needs) && module.equals(other.module);
    }

    /** The same for all that are of one class. */
    int classHash() {
        return 31 * module.hashCode() + needs.hashCode();
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
