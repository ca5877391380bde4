package dev.weir.engine.shard;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what happens in a node, for metrics and for those who look after it. Safe for many threads. */
public final class Counters {
    private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
    private volatile @Nullable String lastDifference;
    private volatile @Nullable String lastFailure;

    /**
     * What was counted so far.
     *
     * @param lastDifference the last difference between memory and rows that a sweep found
     * @param lastFailure the last thing that went wrong, in words
     */
    public record Figures(
            Map<Count, Long> counts,
            @Nullable String lastDifference,
            @Nullable String lastFailure) {
        public long of(Count count) {
            return counts.getOrDefault(count, 0L);
        }
    }

    public Counters() {
        for (Count count : Count.values()) {
            counts.put(count, new LongAdder());
        }
    }

    void add(Count count, long more) {
        LongAdder adder = counts.get(count);
        if (adder != null) {
            adder.add(more);
        }
    }

    void add(Count count) {
        add(count, 1);
    }

    void differs(String difference) {
        lastDifference = difference;
        add(Count.DIFFERENCES);
    }

    void failed(Count count, String what) {
        lastFailure = what;
        add(count);
    }

    public Figures figures() {
        Map<Count, Long> all = new EnumMap<>(Count.class);
        counts.forEach((count, adder) -> all.put(count, adder.sum()));
        return new Figures(all, lastDifference, lastFailure);
    }
}
