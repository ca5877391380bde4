package dev.weir.core.admission;

import dev.weir.core.limit.Need;
import dev.weir.core.limit.RateUsage;
import org.jspecify.annotations.Nullable;

/** What classes ask of a shared limit where they ask the same, and those of them that are parked because of it. */
final class Demand {
    final SharedLimit limit;
    final Need need;
    final @Nullable RateUsage usage;
    final Heap<TicketClass> parked = new Heap<>();
    /** How many classes and holdings have this demand; without any it is dropped. */
    int users;

    Demand(SharedLimit limit, Need need, @Nullable RateUsage usage) {
        this.limit = limit;
        this.need = need;
        this.usage = usage;
    }
}
