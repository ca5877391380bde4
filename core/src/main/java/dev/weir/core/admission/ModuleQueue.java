package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The polls for a module, and the classes of tickets that a poll for it could start. */
final class ModuleQueue extends IndexedHeap.Node {
    /**
     * Time after its last poll for which reservations are still kept for a module, in microseconds: the longest poll.
     */
    static final long PRESENCE = 20_000_000;
    /** Time that a worker may take between two polls before the module counts as not polled for, in microseconds. */
    static final long BETWEEN_POLLS = 1_000_000;

    final String name;
    final IndexedHeap<TicketClass> admissible = new IndexedHeap<>();
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();
    /** Number of polls that have ended and are not yet removed. */
    private int ended;

    private long lastPolledAt = Long.MIN_VALUE;
    private long lastClaimedAt = Long.MIN_VALUE;
    /** Number of ticket classes that belong to this module. */
    int classes;

    boolean awaitsDrop;

    ModuleQueue(String name) {
        this.name = name;
    }

    void join(Poll poll, long now) {
        polls.add(poll);
        lastPolledAt = now;
    }

    /** Records that a caller claims steps of it by name. Other steps may be claimed too, but nobody polls for them. */
    void claimed(long now) {
        lastClaimedAt = now;
    }

    /** The poll that has waited longest. It removes ended polls on the way. */
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

    /**
     * Records that a poll has ended. It is removed when it reaches the front, or when more than half of all have ended.
     */
    void leave(long now) {
        lastPolledAt = now;
        ended++;
        if (2 * ended > polls.size()) {
            polls.removeIf(poll -> !poll.open());
            ended = 0;
        }
    }

    /** True if somebody polls now or did recently, or has recently claimed steps of it by name. */
    boolean served(long now) {
        return firstPoll() != null || Math.max(lastPolledAt, lastClaimedAt) > now - PRESENCE;
    }

    /** True if nobody polls for it and it has no classes. */
    boolean unused() {
        return classes == 0 && firstPoll() == null;
    }

    /** True if somebody polls now, or is about to poll again. */
    boolean asked(long now) {
        return firstPoll() != null || lastPolledAt > now - BETWEEN_POLLS;
    }

    /** The time when the module counts as unserved if nobody polls any more. */
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
    protected int compareWithinRank(IndexedHeap.Node other) {
        return best().compareWithinRank(((ModuleQueue) other).best());
    }
}
