package dev.weir.engine.shard;

import dev.weir.core.state.NoticeSettings;
import dev.weir.engine.journal.Journal;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that all shards of a node share.
 *
 * @param owner name of the node, shown to operators as the owner of a shard
 * @param monotonic a clock in microseconds that never goes back; it does not tell the time of day
 * @param responseExecutor completes futures, so that the callers' continuations do not delay a shard
 * @param commitExecutor writes a batch while the next one is being decided
 * @param loadExecutor reads organisations into memory while the shards serve others
 * @param loadMemory memory for the loads of large organisations
 * @param callSignal receives organisations with calls that could start; it must not block
 * @param runWaiters callers that wait for the end of a run
 * @param commitListener learns of committed changes
 * @param notices thresholds at which operators are notified; absent = never
 */
public record ShardContext(
        Journal journal,
        String owner,
        LongSupplier monotonic,
        Executor responseExecutor,
        CommitExecutor commitExecutor,
        LoadExecutor loadExecutor,
        LoadMemory loadMemory,
        Counters counters,
        Consumer<String> callSignal,
        RunWaiters runWaiters,
        CommitListener commitListener,
        @Nullable NoticeSettings notices) {
    /** Creates a context without calls and notices, for shards that are stepped by hand in one thread. */
    public ShardContext(Journal journal, String owner, LongSupplier monotonic, Counters counters) {
        this(journal, owner, monotonic, counters, null);
    }

    /** Creates a context without calls, for shards that are stepped by hand in one thread. */
    public ShardContext(
            Journal journal,
            String owner,
            LongSupplier monotonic,
            Counters counters,
            @Nullable NoticeSettings notices) {
        this(
                journal,
                owner,
                monotonic,
                Runnable::run,
                CommitExecutor.WHEN_AWAITED,
                LoadExecutor.SAME_THREAD,
                LoadMemory.ofHeap(),
                counters,
                org -> {},
                new RunWaiters(),
                CommitListener.NONE,
                notices);
    }

    long monotonicNow() {
        return monotonic.getAsLong();
    }
}
