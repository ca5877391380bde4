package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Who polls for a module, and the classes of tickets that a poll for it could start. */
final class Module extends Heap.Node {
    /** How long after its last poll room is still kept for a module, in microseconds: the longest poll. */
    static final long PRESENCE = 20_000_000;
    /** How long a worker may take between two polls before it is said that none asks, in microseconds. */
    static final long BETWEEN_POLLS = 1_000_000;

    final String name;
    final Heap<TicketClass> admissible = new Heap<>();
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();
    /** Polls that have ended and were not yet taken out. */
    private int ended;

    private long lastPolledAt = Long.MIN_VALUE;
    private long lastClaimedAt = Long.MIN_VALUE;
    /** Classes of tickets that it would do the work of. */
    int classes;

    boolean awaitsDrop;

    Module(String name) {
        this.name = name;
    }

    void join(Poll poll, long now) {
        polls.add(poll);
        lastPolledAt = now;
    }

    /** Notes that steps of it are claimed by name: others of it may be too, but nobody asks for them. */
    void claimed(long now) {
        lastClaimedAt = now;
    }

    /** The poll that has waited longest; polls that have ended are dropped on the way. */
    @Nullable
    Poll firstPoll() {
        Poll first = polls.peek();
        while (first != null && !first.open()) {
            polls.remove();
            ended--;
            first = polls.peek();
        }
        return first;
    }

    /** Notes that a poll has ended; it is taken out when it comes to the front, or when half of all have ended. */
    void leave(long now) {
        lastPolledAt = now;
        ended++;
        if (2 * ended > polls.size()) {
            polls.removeIf(poll -> !poll.open());
            ended = 0;
        }
    }

    /** Whether somebody polls now or did lately, or has claimed steps of it by name. */
    boolean served(long now) {
        return firstPoll() != null || Math.max(lastPolledAt, lastClaimedAt) > now - PRESENCE;
    }

    /** Whether nobody polls for it and nothing of it waits or may come again soon. */
    boolean unused() {
        return classes == 0 && firstPoll() == null;
    }

    /** Whether somebody polls now, or is about to poll again. */
    boolean asked(long now) {
        return firstPoll() != null || lastPolledAt > now - BETWEEN_POLLS;
    }

    /** When the module counts as unserved if nobody polls any more. */
    long servedUntil() {
        return Math.max(lastPolledAt, lastClaimedAt) + PRESENCE;
    }

    boolean hot() {
        return !admissible.isEmpty() && firstPoll() != null;
    }

    private TicketClass best() {
        TicketClass best = admissible.peek();
        if (best == null) {
            throw new IllegalStateException("expected a module with an admissible class, found none: " + name);
        }
        return best;
    }

    @Override
    protected long rank() {
        return best().rank();
    }

    @Override
    protected int compareWithinRank(Heap.Node other) {
        return best().compareWithinRank(((Module) other).best());
    }
}
