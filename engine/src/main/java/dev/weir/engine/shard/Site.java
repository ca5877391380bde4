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
 * @param writers writes a batch while the next is being decided
 * @param calls told which organisation has calls that could start; it must not hold up a shard
 */
public record Site(
        Journal journal,
        String owner,
        LongSupplier monotonic,
        Executor answers,
        Beside writers,
        Counters counters,
        Consumer<String> calls) {
    /** A site whose shards are turned by hand, in one thread; it makes no calls. */
    public Site(Journal journal, String owner, LongSupplier monotonic, Counters counters) {
        this(journal, owner, monotonic, Runnable::run, Beside.WHEN_AWAITED, counters, org -> {});
    }

    long tick() {
        return monotonic.getAsLong();
    }
}
