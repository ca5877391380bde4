package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tickets of all runs with the same module and the same needs: one queue, judged by its head. It is idle (nothing
 * offered), admissible (its needs were met when last looked at), or parked at the first demand that was refused.
 */
final class TicketClass extends Heap.Node {
    final Module module;
    /** What its tickets ask for; the first that asked so, for the others to share. */
    final TicketSpec spec;

    final List<Demand> demands;
    final AgeQueue offers = new AgeQueue();
    /** Lanes with tickets of this class; without any the class is dropped after a while. */
    int lanes;
    /** Tickets that wait, offered or not. */
    int waiting;

    boolean admissible;

    boolean parked;

    /** Where it is parked when it is refused; kept for the next time. */
    @Nullable
    Bay bay;

    /** The bay that it was in and that waits for what becomes of it. */
    @Nullable
    Bay scoutOf;

    /** Shelves of runs that wait for what becomes of an offer here. */
    private @Nullable Set<Shelf> watching;

    /** Since when it is parked, or when it was last freed. */
    long heldSince;

    /** What refused it before it was last freed. */
    @Nullable
    Refusal freedFrom;

    long idleSince;
    /** When it was put, for the last time, among the classes that await being dropped. */
    long queuedAt;

    boolean awaitsDrop;

    TicketClass(Module module, TicketSpec spec, List<Demand> demands) {
        this.module = module;
        this.spec = spec;
        this.demands = List.copyOf(demands);
    }

    /** A spec equal to this one that shares with others of the class what they have in common. */
    @SuppressWarnings("ReferenceEquality") // whether they share it, not whether it is equal
    TicketSpec shared(TicketSpec other) {
        if (other.needs() == spec.needs()) {
            return other;
        }
        return other.equals(spec) ? spec : new TicketSpec(spec.module(), spec.needs(), other.local(), other.priority());
    }

    boolean idle() {
        return !admissible && !parked;
    }

    /** The bay of a class that is parked. */
    Bay bay() {
        return Objects.requireNonNull(bay);
    }

    /** The demand that it is parked at, if it is. */
    @Nullable
    Demand parkedAt() {
        return parked ? bay().at : null;
    }

    void watch(Shelf shelf) {
        if (watching == null) {
            watching = new LinkedHashSet<>(2);
        }
        watching.add(shelf);
    }

    void unwatch(Shelf shelf) {
        if (watching != null) {
            watching.remove(shelf);
        }
    }

    /** The shelves that wait no more. */
    Set<Shelf> endWatches() {
        Set<Shelf> ended = watching == null ? Set.of() : watching;
        watching = null;
        return ended;
    }

    Ticket head() {
        Ticket head = offers.peek();
        if (head == null) {
            throw new IllegalStateException("expected a class with an offer, found none for module " + module.name);
        }
        return head;
    }

    boolean before(TicketClass other) {
        return head().before(other.head());
    }

    /** The first demand that is refused; {@code self} tells whether room is kept for the ticket that asks. */
    @Nullable
    Demand firstRefused(boolean self, long now) {
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.refuses(self, now)) {
                return demand;
            }
        }
        return null;
    }

    /** The first of its limits that has changed and where others wait to be looked at. */
    @Nullable
    Demand firstContended(long now) {
        for (int i = 0; i < demands.size(); i++) {
            SharedLimit limit = demands.get(i).limit;
            if (limit.parked > 0 && limit.changed(now)) {
                return demands.get(i);
            }
        }
        return null;
    }

    @Override
    protected long rank() {
        return head().rank();
    }

    @Override
    protected int compareWithinRank(Heap.Node other) {
        return head().compareTie(((TicketClass) other).head());
    }
}
