package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.RateUsage;
import org.jspecify.annotations.Nullable;

/** What classes ask of a shared limit where they ask the same, and those of them that are parked because of it. */
final class Demand {
    final SharedLimit limit;
    final Need need;
    /** What the need says, here because it is looked at with every judgement. */
    final int parallelism;

    final int weight;
    final @Nullable RateUsage usage;
    final Heap<Bay> parked = new Heap<>();
    /** How many classes have this demand; without any, and without holdings, it is dropped. */
    int classes;

    int holdings;

    /** How its limit refused last. */
    @Nullable
    Refusal refused;

    Demand(SharedLimit limit, Need need, @Nullable RateUsage usage) {
        this.limit = limit;
        this.need = need;
        this.parallelism = need.parallelism();
        this.weight = need.weight();
        this.usage = usage;
    }

    /** Whether its limit refuses; how it does is remembered. */
    boolean refuses(boolean self, long now) {
        Cause cause = limit.cause(this, self, now);
        if (cause != null && (refused == null || refused.cause() != cause)) {
            refused = new Refusal(limit.id, cause);
        }
        return cause != null;
    }
}
