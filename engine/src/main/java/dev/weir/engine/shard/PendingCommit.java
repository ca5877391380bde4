package dev.weir.engine.shard;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A decided batch that is being written. While another thread writes it, the shard ownership is in use. After {@link
 * #await} the result can be read.
 */
final class PendingCommit {
    final ShardBatch batch;
    private final ShardOwnership tenure;
    private final LongSupplier monotonic;
    private final boolean changes;
    /** The time of the decision, by the monotonic clock. */
    private final long decidedAt;
    /** The store's time by which the batch was decided. */
    private final long by;
    /** Prepared by the loop while the previous batch may still be in flight. */
    private final PreparedWrites draft;

    private final int messages;
    private volatile boolean done;
    private volatile long begunAt;
    private long endedAt;
    private Runnable await = () -> {};
    private long storeNow = Long.MIN_VALUE;
    private long askedAt;
    private long heardAt;
    private boolean old;
    private boolean whenever;
    private @Nullable RuntimeException failure;

    PendingCommit(ShardBatch batch, ShardOwnership tenure, LongSupplier monotonic, long decidedAt, long by) {
        this.batch = batch;
        this.tenure = tenure;
        this.monotonic = monotonic;
        this.decidedAt = decidedAt;
        this.by = by;
        this.changes = batch.changes();
        this.messages = batch.messages();
        this.draft = tenure.draft(batch.moves());
    }

    /**
     * Starts writing on the given executor. The transaction may have begun before the decision.
     *
     * @param late true to write the batch although it is old
     */
    PendingCommit begin(CommitExecutor beside, @Nullable Transaction begun, boolean late) {
        begunAt = monotonic.getAsLong();
        whenever = late;
        await = beside.begin(() -> {
            write(begun);
            endedAt = monotonic.getAsLong();
            done = true;
        });
        return this;
    }

    /** Writes what is left of the batch, and waits for it. */
    PendingCommit again(boolean late) {
        PendingCommit again = madeAgain().begin(CommitExecutor.AT_ONCE, null, late);
        again.await();
        return again;
    }

    /** Returns a new commit of what is left of the batch. */
    PendingCommit madeAgain() {
        return new PendingCommit(batch, tenure, monotonic, decidedAt, by);
    }

    private void write(@Nullable Transaction begun) {
        askedAt = monotonic.getAsLong();
        try {
            if (begun == null && changes && !whenever) {
                tenure.write(draft, by, this::heard);
            } else if (begun == null) {
                Transaction entry = tenure.begin();
                heard(entry.now());
                within(entry);
            } else {
                within(begun);
            }
        } catch (JournalFailure.Late e) {
            old = true;
        } catch (RuntimeException e) {
            failure = e;
        } catch (Error e) {
            // After any error, the batch must not count as written.
            failure = new JournalFailure.Lost("committing a batch: " + e, e);
        }
    }

    private void within(Transaction begun) {
        try (Transaction entry = begun) {
            boolean tooOld = whenever
                    ? entry.now() - by > PartialRetry.AGE_MAX
                    : monotonic.getAsLong() - decidedAt > PreparedWrites.AGE_MAX;
            old = changes && tooOld;
            if (!old) {
                end(entry, draft, changes);
            }
        }
    }

    private void heard(long now) {
        storeNow = now;
        heardAt = monotonic.getAsLong();
    }

    /** Commits the writes. If there are none, rolls back, which still verifies the ownership. */
    static void end(Transaction entry, PreparedWrites draft, boolean changes) {
        entry.write(draft);
        if (changes) {
            entry.commit();
        } else {
            entry.rollback();
        }
    }

    void await() {
        Runnable once = await;
        await = () -> {};
        once.run();
    }

    /** True if the loop can wait for more messages before it must decide the next batch. */
    boolean leavesTime(BatchDelay pace, int waiting) {
        return !done && pace.leavesTime(waiting, messages, monotonic.getAsLong() - begunAt);
    }

    /** Reports how long the write took. Call it only after {@link #await}. */
    void tell(BatchDelay pace) {
        pace.written(messages, endedAt - begunAt);
    }

    /** The failure of the write, if any. Valid only after {@link #await}. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** True if the batch was too old and was therefore not written. */
    boolean old() {
        return old;
    }

    /** True if the batch was to be written although it was old. */
    boolean whenever() {
        return whenever;
    }

    boolean changes() {
        return changes;
    }

    /** Passes on the time that the store reported. */
    void tellTime(ShardState holdings) {
        if (storeNow != Long.MIN_VALUE) {
            holdings.at(storeNow, askedAt, heardAt);
        }
    }

    /** True if the batch contains a query, which must see the state after this batch and nothing later. */
    boolean isLookedAt() {
        return batch.turns.values().stream()
                .anyMatch(turn -> turn.messages.stream().anyMatch(StateQueryMessage.class::isInstance));
    }
}
