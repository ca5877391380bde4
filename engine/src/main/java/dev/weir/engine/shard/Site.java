package dev.weir.engine.shard;

import dev.weir.engine.journal.Journal;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What every shard of a node works with.
 *
 * @param owner the name of the node, for people who look who owns a shard
 * @param monotonic a clock in microseconds that never goes back; it says nothing of the time of day
 * @param answers completes futures, so that what callers do with their answers does not hold up a shard
 * @param calls told which organisation has calls that could start; it must not hold up a shard
 */
public record Site(
        Journal journal,
        String owner,
        LongSupplier monotonic,
        Executor answers,
        Counters counters,
        Consumer<String> calls) {
    /** A site that makes no calls. */
    public Site(Journal journal, String owner, LongSupplier monotonic, Executor answers, Counters counters) {
        this(journal, owner, monotonic, answers, counters, org -> {});
    }

    long tick() {
        return monotonic.getAsLong();
    }
}
