package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tickets of all runs with the same module and the same needs: one queue, judged by its head. A class is idle (it has
 * no offers), admissible (its needs were met when it was last judged), or parked at the first demand that refused it.
 */
final class TicketClass extends IndexedHeap.Node {
    final ModuleQueue module;
    /** The spec of its first ticket. The other tickets share its parts to save memory. */
    final TicketSpec spec;

    final List<SharedDemand> demands;
    final AgeQueue offers = new AgeQueue();
    /** Number of its tickets whose runs have room for them. */
    int eligibleCount;
    /** The index of this class among the classes of each of its demands, in the order of the demands. */
    private final int[] demandIndexes;
    /** Number of lanes with tickets of this class. A class without lanes is dropped after a while. */
    int laneCount;

    boolean admissible;

    boolean parked;

    /** The group in which it is parked after a refusal. It is kept for the next refusal. */
    @Nullable
    ParkedClasses parkedGroup;

    /** The parked group that this class came from and represents: the group waits for the outcome of this class. */
    @Nullable
    ParkedClasses represents;

    /** Groups of parked lanes that wait for the outcome of an offer in this class. */
    private @Nullable Set<ParkedLanes> watchers;

    /** The time when it was parked, or when it was last freed. */
    long parkedOrFreedAt;

    /** The hold that it had before it was last freed. */
    @Nullable
    Hold lastHold;

    long idleSince;
    /** The time when it was last added to the classes that wait to be dropped. */
    long queuedForDropAt;

    boolean queuedForDrop;

    TicketClass(ModuleQueue module, TicketSpec spec, List<SharedDemand> demands) {
        this.module = module;
        this.spec = spec;
        this.demands = List.copyOf(demands);
        this.demandIndexes = new int[demands.size()];
        for (int i = 0; i < demandIndexes.length; i++) {
            demandIndexes[i] = this.demands.get(i).addClass(this);
        }
    }

    /** Leaves the demands, once no ticket asks for this class any more. */
    void leaveDemands() {
        for (int i = 0; i < demandIndexes.length; i++) {
            SharedDemand demand = demands.get(i);
            TicketClass moved = demand.removeClass(demandIndexes[i]);
            if (moved != null) {
                moved.demandIndexes[moved.demands.indexOf(demand)] = demandIndexes[i];
            }
        }
    }

    /** Counts tickets of lanes that are not parked at their run. Only these ask the shared limits. */
    void addEligible(int change) {
        eligibleCount += change;
        if (parked) {
            parkedGroup().addTickets(change);
        }
        for (int i = 0; i < demands.size(); i++) {
            demands.get(i).eligibleCount += change;
        }
    }

    /** Returns a spec equal to the given one that shares the common parts of this class. */
    @SuppressWarnings("ReferenceEquality") // compares identity: true if they share the list
    TicketSpec intern(TicketSpec other) {
        if (other.needs() == spec.needs()) {
            return other;
        }
        return other.equals(spec)
                ? spec
                : new TicketSpec(spec.module(), spec.needs(), other.runDemand(), other.priority());
    }

    boolean isIdle() {
        return !admissible && !parked;
    }

    /** The group of a class that is parked. */
    ParkedClasses parkedGroup() {
        return Objects.requireNonNull(parkedGroup);
    }

    /** The demand at which the class is parked; null if it is not. */
    @Nullable
    SharedDemand parkedAt() {
        return parked ? parkedGroup().parkedAt : null;
    }

    void addWatcher(ParkedLanes watcher) {
        if (watchers == null) {
            watchers = new LinkedHashSet<>(2);
        }
        watchers.add(watcher);
    }

    void removeWatcher(ParkedLanes watcher) {
        if (watchers != null) {
            watchers.remove(watcher);
        }
    }

    /** The groups of parked lanes that wait for the outcome of an offer in this class. */
    Set<ParkedLanes> watchers() {
        return watchers == null ? Set.of() : watchers;
    }

    /** Returns the groups of parked lanes that waited for this class, and forgets them. */
    Set<ParkedLanes> takeWatchers() {
        Set<ParkedLanes> taken = watchers == null ? Set.of() : watchers;
        watchers = null;
        return taken;
    }

    Ticket head() {
        Ticket head = offers.peek();
        if (head == null) {
            throw new IllegalStateException("expected a class with an offer, found none for module " + module.name);
        }
        return head;
    }

    boolean isBefore(TicketClass other) {
        return head().isBefore(other.head());
    }

    /**
     * Judges a ticket of this class by its shared limits; the first that refuses it decides. A null {@code requester}
     * stands for any ticket without a reservation.
     */
    Verdict judge(@Nullable Ticket requester, long now) {
        for (int i = 0; i < demands.size(); i++) {
            Verdict verdict = demands.get(i).judge(requester, now);
            if (!verdict.admits()) {
                return verdict;
            }
        }
        return Verdict.Admit.INSTANCE;
    }

    /** The first of its demands whose limit has changed and has other parked classes that wait to be judged. */
    @Nullable
    SharedDemand firstContended(long now) {
        for (int i = 0; i < demands.size(); i++) {
            SharedLimit limit = demands.get(i).limit;
            if (limit.parkedCount > 0 && limit.hasChanged(now)) {
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
    protected int compareWithinRank(IndexedHeap.Node other) {
        return head().compareTie(((TicketClass) other).head());
    }
}
