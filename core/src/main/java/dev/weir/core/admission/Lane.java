package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of one run that ask for the same. The lane offers its oldest to its class when the run has room for it,
 * and the next when that one is granted; while the run has no room the lane is parked at the run.
 */
final class Lane extends Heap.Node {
    final RunGate run;
    final TicketSpec spec;
    final TicketClass group;

    @Nullable
    Ticket offered;
    /** The lanes of the same run before and after it. */
    @Nullable
    Lane previous;

    @Nullable
    Lane next;
    /** Where it is parked when its run has no room for it; kept for the next time. */
    @Nullable
    Shelf shelf;

    /** Those that are not offered; absent while there were never two. */
    private @Nullable AgeQueue waiting;

    Lane(RunGate run, TicketSpec spec, TicketClass group) {
        this.run = run;
        this.spec = spec;
        this.group = group;
    }

    /** The shelf of a lane that is, or was, parked. */
    Shelf shelf() {
        return Objects.requireNonNull(shelf);
    }

    /** What has kept the ticket of it that is granted or taken out now. */
    Held held(long now) {
        Demand at = group.parkedAt();
        Refusal shared = at == null ? group.freedFrom : at.refused;
        if (shared == null && shelf == null) {
            return Held.BY_NOTHING;
        }
        return new Held(
                shelf == null ? Long.MIN_VALUE : Math.min(now, shelf.refusedUntil),
                shelf == null ? null : shelf.refusedBy,
                shared == null ? Long.MIN_VALUE : at == null ? group.heldSince : now,
                shared);
    }

    private Ticket oldest() {
        Ticket oldest = peek();
        if (oldest == null) {
            throw new IllegalStateException("expected a lane with a waiting ticket, found an empty one of " + spec);
        }
        return oldest;
    }

    @Nullable
    Ticket peek() {
        return waiting == null ? null : waiting.peek();
    }

    void add(Ticket ticket) {
        if (waiting == null) {
            waiting = new AgeQueue();
        }
        waiting.add(ticket);
    }

    void remove(Ticket ticket) {
        if (waiting == null) {
            throw new IllegalStateException("expected a lane in which " + ticket + " waits, found an empty one");
        }
        waiting.remove(ticket);
    }

    @Nullable
    AgeQueue waiting() {
        return waiting;
    }

    /** Adds the oldest of those that are chosen, at least as many as are asked for if there are. */
    void addOldest(List<Ticket> tickets, Predicate<Ticket> chosen, int most) {
        Ticket any = offered == null ? peek() : offered;
        if (any == null || (spec.local().fanOut() != null && !chosen.test(any))) {
            // All of a lane are items of one fan-out, or none is: what is true of one is true of all.
            return;
        }
        if (offered != null && chosen.test(offered)) {
            tickets.add(offered);
        }
        Ticket next = waiting == null ? null : waiting.firstInOrder();
        for (int found = 0; next != null && found < most; next = next.next) {
            if (chosen.test(next)) {
                tickets.add(next);
                found++;
            }
        }
        Heap<Ticket> late = waiting == null ? null : waiting.late();
        for (int i = 0; late != null && i < late.size(); i++) {
            if (chosen.test(late.at(i))) {
                tickets.add(late.at(i));
            }
        }
    }

    int size() {
        return (offered == null ? 0 : 1) + (waiting == null ? 0 : waiting.size());
    }

    boolean parked() {
        return inHeap();
    }

    boolean idle() {
        return size() == 0;
    }

    @Override
    protected long rank() {
        return oldest().rank();
    }

    @Override
    protected int compareWithinRank(Heap.Node other) {
        return oldest().compareTie(((Lane) other).oldest());
    }

    boolean before(Lane other) {
        return oldest().before(other.oldest());
    }

    Ticket head() {
        return oldest();
    }
}
