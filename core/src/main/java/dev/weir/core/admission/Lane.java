package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of one run that ask for the same. The lane offers its oldest ticket to its class when the run has room
 * for it, and the next one when that is granted. While the run has no room, the lane is parked at the run.
 */
final class Lane extends IndexedHeap.Node {
    final RunLimiter run;
    final TicketSpec spec;
    final TicketClass ticketClass;

    @Nullable
    Ticket offered;
    /** The neighbours of this lane among the lanes of its run. */
    @Nullable
    Lane previous;

    @Nullable
    Lane next;
    /** The group in which it is parked while its run has no room for it. It is kept for the next time. */
    @Nullable
    ParkedLanes parkedGroup;

    /** The tickets that are not offered; null until the lane has had two tickets at once. */
    private @Nullable AgeQueue waiting;

    Lane(RunLimiter run, TicketSpec spec, TicketClass ticketClass) {
        this.run = run;
        this.spec = spec;
        this.ticketClass = ticketClass;
    }

    /** The group of a lane that is or was parked. */
    ParkedLanes parkedGroup() {
        return Objects.requireNonNull(parkedGroup);
    }

    /** Describes what held the ticket that is granted or withdrawn now. */
    WaitRecord waitRecord(long now) {
        SharedDemand at = ticketClass.parkedAt();
        Hold shared = at == null ? ticketClass.lastHold : at.lastHold;
        if (shared == null && parkedGroup == null) {
            return WaitRecord.NONE;
        }
        return new WaitRecord(
                parkedGroup == null ? Long.MIN_VALUE : Math.min(now, parkedGroup.heldUntil),
                parkedGroup == null ? null : parkedGroup.lastHold,
                shared == null ? Long.MIN_VALUE : at == null ? ticketClass.parkedOrFreedAt : now,
                shared);
    }

    /** Counts tickets that come or go: at the limits that they need, and at whatever holds them. */
    void countTickets(int change) {
        ticketClass.module.waitingCount += change;
        for (int i = 0; i < ticketClass.demands.size(); i++) {
            ticketClass.demands.get(i).limit.waitingCount += change;
        }
        if (isParked()) {
            parkedGroup().addTickets(change);
        } else {
            ticketClass.addEligible(change);
        }
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

    /** Adds the oldest chosen tickets: at least {@code max} of them, if there are so many. */
    void addOldest(List<Ticket> tickets, Predicate<Ticket> chosen, int max) {
        Ticket any = offered == null ? peek() : offered;
        if (any == null || (spec.runDemand().fanOut() != null && !chosen.test(any))) {
            // Either all tickets of a lane are items of one fan-out, or none is. If one is not chosen, none is.
            return;
        }
        if (offered != null && chosen.test(offered)) {
            tickets.add(offered);
        }
        Ticket next = waiting == null ? null : waiting.firstInOrder();
        for (int found = 0; next != null && found < max; next = next.next) {
            if (chosen.test(next)) {
                tickets.add(next);
                found++;
            }
        }
        IndexedHeap<Ticket> late = waiting == null ? null : waiting.late();
        for (int i = 0; late != null && i < late.size(); i++) {
            if (chosen.test(late.at(i))) {
                tickets.add(late.at(i));
            }
        }
    }

    int size() {
        return (offered == null ? 0 : 1) + (waiting == null ? 0 : waiting.size());
    }

    boolean isParked() {
        return inHeap();
    }

    boolean isIdle() {
        return size() == 0;
    }

    @Override
    protected long rank() {
        return oldest().rank();
    }

    @Override
    protected int compareWithinRank(IndexedHeap.Node other) {
        return oldest().compareTie(((Lane) other).oldest());
    }

    boolean isBefore(Lane other) {
        return oldest().isBefore(other.oldest());
    }

    Ticket head() {
        return oldest();
    }
}
