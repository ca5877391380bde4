package dev.weir.engine.shard;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A decided batch that is being written. While another thread writes it, the shard ownership is in use. After {@link
 * #awaitAction} the result can be read.
 */
final class PendingCommit {
    final ShardBatch batch;
    private final ShardOwnership ownership;
    private final LongSupplier monotonic;
    private final boolean hasChanges;
    /** The time of the decision, by the monotonic clock. */
    private final long decidedAt;
    /** The store's time by which the batch was decided. */
    private final long decisionTime;
    /** Prepared by the loop while the previous batch may still be in flight. */
    private final PreparedWrites preparedWrites;

    private final int messageCount;
    private volatile boolean done;
    private volatile long startedAt;
    private long endedAt;
    private Runnable awaitAction = () -> {};
    private long storeNow = Long.MIN_VALUE;
    private long requestedAt;
    private long receivedAt;
    private boolean wasTooOld;
    private boolean acceptsOld;
    private @Nullable RuntimeException failure;

    PendingCommit(
            ShardBatch batch, ShardOwnership ownership, LongSupplier monotonic, long decidedAt, long decisionTime) {
        this.batch = batch;
        this.ownership = ownership;
        this.monotonic = monotonic;
        this.decidedAt = decidedAt;
        this.decisionTime = decisionTime;
        this.hasChanges = batch.hasChanges();
        this.messageCount = batch.messageCount();
        this.preparedWrites = ownership.prepare(batch.moves());
    }

    /**
     * Starts writing on the given executor. The transaction may have begun before the decision.
     *
     * @param acceptOld true to write the batch although it is old
     */
    PendingCommit begin(CommitExecutor executor, @Nullable Transaction openTransaction, boolean acceptOld) {
        startedAt = monotonic.getAsLong();
        acceptsOld = acceptOld;
        awaitAction = executor.begin(() -> {
            write(openTransaction);
            endedAt = monotonic.getAsLong();
            done = true;
        });
        return this;
    }

    /** Writes what is left of the batch, and waits for it. */
    PendingCommit retry(boolean acceptOld) {
        PendingCommit retried = rebuild().begin(CommitExecutor.SAME_THREAD, null, acceptOld);
        retried.await();
        return retried;
    }

    /** Returns a new commit of what is left of the batch. */
    PendingCommit rebuild() {
        return new PendingCommit(batch, ownership, monotonic, decidedAt, decisionTime);
    }

    private void write(@Nullable Transaction openTransaction) {
        requestedAt = monotonic.getAsLong();
        try {
            if (openTransaction == null && hasChanges && !acceptsOld) {
                ownership.write(preparedWrites, decisionTime, this::recordStoreTime);
            } else if (openTransaction == null) {
                Transaction transaction = ownership.begin();
                recordStoreTime(transaction.now());
                writeIn(transaction);
            } else {
                writeIn(openTransaction);
            }
        } catch (JournalFailure.TooOld e) {
            wasTooOld = true;
        } catch (RuntimeException e) {
            failure = e;
        } catch (Error e) {
            // After any error, the batch must not count as written.
            failure = new JournalFailure.Lost("committing a batch: " + e, e);
        }
    }

    private void writeIn(Transaction openTransaction) {
        try (Transaction transaction = openTransaction) {
            boolean tooOld = acceptsOld
                    ? transaction.now() - decisionTime > PartialRetry.AGE_MAX
                    : monotonic.getAsLong() - decidedAt > PreparedWrites.AGE_MAX;
            wasTooOld = hasChanges && tooOld;
            if (!wasTooOld) {
                commitOrRollBack(transaction, preparedWrites, hasChanges);
            }
        }
    }

    private void recordStoreTime(long now) {
        storeNow = now;
        receivedAt = monotonic.getAsLong();
    }

    /** Commits the writes. If there are none, rolls back, which still verifies the ownership. */
    static void commitOrRollBack(Transaction transaction, PreparedWrites preparedWrites, boolean hasChanges) {
        transaction.write(preparedWrites);
        if (hasChanges) {
            transaction.commit();
        } else {
            transaction.rollback();
        }
    }

    void await() {
        Runnable action = awaitAction;
        awaitAction = () -> {};
        action.run();
    }

    /** True if the loop can wait for more messages before it must decide the next batch. */
    boolean canWait(BatchDelay delay, int waiting) {
        return !done && delay.canWait(waiting, messageCount, monotonic.getAsLong() - startedAt);
    }

    /** Reports how long the write took. Call it only after {@link #awaitAction}. */
    void reportDuration(BatchDelay delay) {
        delay.recordWrite(messageCount, endedAt - startedAt);
    }

    /** The failure of the write, if any. Valid only after {@link #awaitAction}. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** True if the batch was too old and was therefore not written. */
    boolean wasTooOld() {
        return wasTooOld;
    }

    /** True if the batch was to be written although it was old. */
    boolean acceptsOld() {
        return acceptsOld;
    }

    boolean hasChanges() {
        return hasChanges;
    }

    /** Passes on the time that the store reported. */
    void reportTime(ShardState state) {
        if (storeNow != Long.MIN_VALUE) {
            state.setTime(storeNow, requestedAt, receivedAt);
        }
    }

    /** True if the batch contains a query, which must see the state after this batch and nothing later. */
    boolean hasQuery() {
        return batch.orgBatches.values().stream()
                .anyMatch(orgBatch -> orgBatch.messages.stream().anyMatch(StateQueryMessage.class::isInstance));
    }
}
