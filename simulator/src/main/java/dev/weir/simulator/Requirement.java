package dev.weir.simulator;

import dev.weir.core.plan.LimitNeeds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits and amounts that a step, an item or a run needs in order to start, in plain values.
 *
 * @param module the module that does the work
 * @param shares the needs from limits that it shares with others
 */
record Requirement(String module, List<Share> shares, int slots, boolean exclusive) {
    static final int UNLIMITED = Integer.MAX_VALUE;

    /**
     * The need from one shared limit.
     *
     * @param limit the limit as the trace names it, such as {@code key:k1}
     * @param weight the part of the parallelism that it takes; 0 if it uses the place of the run that invoked it
     */
    record Share(
            String limit,
            int parallelism,
            int weight,
            @Nullable StartRate startRate,
            int cost) {
        Share asBorrowed() {
            return new Share(limit, UNLIMITED, 0, startRate, cost);
        }
    }

    /** The number of starts that may begin in a period. The period is in microseconds. */
    record StartRate(int count, long period, boolean fixed) {}

    /** Converts the needs that the engine has recorded, so that they can be compared with the definition. */
    static Requirement recorded(LimitNeeds needs) {
        List<Share> shares = new ArrayList<>();
        for (var need : needs.needs()) {
            var rate = need.rate();
            StartRate startRate = rate == null
                    ? null
                    : new StartRate(
                            rate.count(), rate.period(), rate.window().name().equals("FIXED"));
            shares.add(new Share(need.limit().text(), need.parallelism(), need.weight(), startRate, need.cost()));
        }
        return new Requirement(needs.module(), shares, needs.slots(), needs.exclusive());
    }

    long weight(String limit) {
        long weight = 0;
        for (Share share : shares) {
            weight += share.limit.equals(limit) ? share.weight : 0;
        }
        return weight;
    }

    boolean uses(String limit) {
        return shares.stream().anyMatch(share -> share.limit.equals(limit));
    }
}
