package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classes of one module that the same demands have refused. If one of these demands refuses one of the classes, it
 * refuses all. They are parked together at one of these demands, and only the best of them is judged when its limit
 * changes. So even if many classes need the same two keys, it costs little when one key is free and the other is not.
 */
final class ParkedClasses extends IndexedHeap.Node {
    final ModuleQueue module;
    /** The demands that have refused its classes. All of its classes have them. */
    final Set<SharedDemand> demands;
    /** The demand whose refusal created the group. It is usually the one that refuses again. */
    private final SharedDemand firstRefusedBy;
    /** True if the group exists for a single class, because no other class has its demand. */
    final boolean single;

    final IndexedHeap<TicketClass> classes = new IndexedHeap<>();
    /** Number of classes that belong here, parked or not. */
    int memberCount;
    /** The demand where the group is parked; null while it is empty. */
    @Nullable
    SharedDemand parkedAt;

    long heldSince;
    /** Number of tickets of its classes whose runs have room for them. */
    private int ticketCount;

    private HoldKind holdKind = HoldKind.KEY_CAPACITY;
    /** A class of this group that could start if somebody polled. Until it does, the others need not be judged. */
    @Nullable
    TicketClass representative;

    ParkedClasses(ModuleQueue module, Set<SharedDemand> demands, SharedDemand firstRefusedBy, boolean single) {
        this.module = module;
        this.demands = demands;
        this.firstRefusedBy = firstRefusedBy;
        this.single = single;
    }

    /** The demand where a non-empty group is parked. */
    SharedDemand parkedAt() {
        return Objects.requireNonNull(parkedAt);
    }

    /** Counts tickets of its classes that come or go. */
    void addTickets(int change) {
        ticketCount += change;
        module.held.add(holdKind, change);
    }

    /** Sets the kind of limit that holds its tickets. */
    void setHoldKind(HoldKind kind) {
        if (kind != holdKind) {
            module.held.move(holdKind, kind, ticketCount);
            holdKind = kind;
        }
    }

    HoldKind holdKind() {
        return holdKind;
    }

    boolean isRefusedBy(SharedDemand demand) {
        return demand == firstRefusedBy || demands.contains(demand);
    }

    TicketClass best() {
        TicketClass best = classes.peek();
        if (best == null) {
            throw new IllegalStateException("expected a parked class, found none for module " + module.name);
        }
        return best;
    }

    boolean isBefore(ParkedClasses other) {
        return best().isBefore(other.best());
    }

    @Override
    protected long rank() {
        return representative != null ? Long.MAX_VALUE : best().rank();
    }

    @Override
    protected int compareWithinRank(IndexedHeap.Node other) {
        return best().compareWithinRank(((ParkedClasses) other).best());
    }
}
