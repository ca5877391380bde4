package dev.weir.engine.shard;

import dev.weir.core.admission.HoldKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts events of a node, for metrics and operators. Safe for use by many threads. */
public final class Counters {
    private final Map<CounterName, LongAdder> counts = new EnumMap<>(CounterName.class);
    /** Steps and runs that limits hold now, of the organisations in memory. */
    private final Map<HoldKind, LongAdder> held = new EnumMap<>(HoldKind.class);

    private volatile @Nullable String lastDifference;
    private volatile @Nullable String lastFailure;

    /**
     * The counts so far.
     *
     * @param held the steps and runs that limits hold now, of the organisations in memory
     * @param lastDifference the last difference that a sweep found, between memory and rows or within memory
     * @param lastFailure description of the last failure
     */
    public record CounterValues(
            Map<CounterName, Long> counts,
            Map<HoldKind, Long> held,
            @Nullable String lastDifference,
            @Nullable String lastFailure) {
        public long of(CounterName count) {
            return counts.getOrDefault(count, 0L);
        }
    }

    public Counters() {
        for (CounterName count : CounterName.values()) {
            counts.put(count, new LongAdder());
        }
        for (HoldKind kind : HoldKind.values()) {
            held.put(kind, new LongAdder());
        }
    }

    void addHeld(HoldKind kind, long change) {
        LongAdder adder = held.get(kind);
        if (adder != null && change != 0) {
            adder.add(change);
        }
    }

    void add(CounterName count, long amount) {
        LongAdder adder = counts.get(count);
        if (adder != null) {
            adder.add(amount);
        }
    }

    void add(CounterName count) {
        add(count, 1);
    }

    void recordDifference(String difference) {
        lastDifference = difference;
        add(CounterName.DIFFERENCES);
    }

    void recordCorrection(String difference, int corrections) {
        lastDifference = difference;
        add(CounterName.USAGE_CORRECTIONS, corrections);
    }

    void recordFailure(CounterName count, String what) {
        lastFailure = what;
        add(count);
    }

    /** Returns the current value of one counter. */
    public long of(CounterName count) {
        LongAdder adder = counts.get(count);
        return adder == null ? 0 : adder.sum();
    }

    public CounterValues values() {
        Map<CounterName, Long> all = new EnumMap<>(CounterName.class);
        counts.forEach((count, adder) -> all.put(count, adder.sum()));
        Map<HoldKind, Long> allHeld = new EnumMap<>(HoldKind.class);
        held.forEach((kind, adder) -> allHeld.put(kind, adder.sum()));
        return new CounterValues(all, allHeld, lastDifference, lastFailure);
    }
}
