package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classes of one module that the same demands have refused: what of these refuses one of them refuses all. They are
 * parked together at one of these demands, and the best of them stands for all when that is looked at. So however many
 * classes need the same two keys, it costs little when one of the keys is free and the other is not.
 */
final class Bay extends Heap.Node {
    final Module module;
    /** What has refused its classes; all of them need it. */
    final Set<Demand> demands;
    /** The one of them that has refused last when it was made: mostly the one that does so again. */
    private final Demand latest;
    /** Whether it is there for a single class, because no other has its demand. */
    final boolean single;

    final Heap<TicketClass> classes = new Heap<>();
    /** Classes that belong here, parked or not. */
    int members;
    /** Where it is parked; absent while it is empty. */
    @Nullable
    Demand at;

    long heldSince;
    /** A class from here that could go if somebody polled; until it does, the others need not be looked at. */
    @Nullable
    TicketClass scout;

    Bay(Module module, Set<Demand> demands, Demand latest, boolean single) {
        this.module = module;
        this.demands = demands;
        this.latest = latest;
        this.single = single;
    }

    /** Where it is parked, of a bay that is not empty. */
    Demand at() {
        return Objects.requireNonNull(at);
    }

    boolean refusedBy(Demand demand) {
        return demand == latest || demands.contains(demand);
    }

    TicketClass best() {
        TicketClass best = classes.peek();
        if (best == null) {
            throw new IllegalStateException("expected a bay with a parked class, found none for module " + module.name);
        }
        return best;
    }

    boolean before(Bay other) {
        return best().before(other.best());
    }

    @Override
    protected long rank() {
        return scout != null ? Long.MAX_VALUE : best().rank();
    }

    @Override
    protected int compareWithinRank(Heap.Node other) {
        return best().compareWithinRank(((Bay) other).best());
    }
}
