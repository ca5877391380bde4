package dev.weir.engine.shard;

import dev.weir.engine.journal.Draft;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Tenure;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch that was decided, on its way into the store. While it is written beside the loop, the tenure is in use; when it
 * has been waited for, it says what became of it.
 */
final class Writing {
    final Batch batch;
    private final Tenure tenure;
    private final LongSupplier monotonic;
    private final boolean changes;
    /** When it was decided, by the monotonic clock. */
    private final long decidedAt;
    /** The time of the store by which it was decided. */
    private final long by;
    /** Made by the loop, while the batch before may still be written. */
    private final Draft draft;

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

    Writing(Batch batch, Tenure tenure, LongSupplier monotonic, long decidedAt, long by) {
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
     * Begins beside the loop; the transaction may have begun before the decision.
     *
     * @param late whether it is written although it is old
     */
    Writing begin(Beside beside, @Nullable Entry begun, boolean late) {
        begunAt = monotonic.getAsLong();
        whenever = late;
        await = beside.begin(() -> {
            write(begun);
            endedAt = monotonic.getAsLong();
            done = true;
        });
        return this;
    }

    /** Writes what its batch has become, and waits for it. */
    Writing again(boolean late) {
        Writing again = madeAgain().begin(Beside.AT_ONCE, null, late);
        again.await();
        return again;
    }

    /** The same, of what its batch has become. */
    Writing madeAgain() {
        return new Writing(batch, tenure, monotonic, decidedAt, by);
    }

    private void write(@Nullable Entry begun) {
        askedAt = monotonic.getAsLong();
        try {
            if (begun == null && changes && !whenever) {
                tenure.write(draft, by, this::heard);
            } else if (begun == null) {
                Entry entry = tenure.begin();
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
            // Whatever it was, nobody may take it for written.
            failure = new JournalFailure.Lost("writing what was decided: " + e, e);
        }
    }

    private void within(Entry begun) {
        try (Entry entry = begun) {
            boolean tooOld =
                    whenever ? entry.now() - by > Salvage.AGE_MAX : monotonic.getAsLong() - decidedAt > Draft.AGE_MAX;
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

    /** Commits what was decided, or sees that it was true that there is nothing to change. */
    static void end(Entry entry, Draft draft, boolean changes) {
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

    /** Whether more messages can be waited for before the next batch has to be decided. */
    boolean leavesTime(Pace pace, int waiting) {
        return !done && pace.leavesTime(waiting, messages, monotonic.getAsLong() - begunAt);
    }

    /** Tells how long it took; once it was waited for. */
    void tell(Pace pace) {
        pace.written(messages, endedAt - begunAt);
    }

    /** What it failed with; once it was waited for. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** Whether it was too old to be written, and was not. */
    boolean old() {
        return old;
    }

    /** Whether it was to be written although it is old. */
    boolean whenever() {
        return whenever;
    }

    boolean changes() {
        return changes;
    }

    /** Tells the time that it was told by the store. */
    void tellTime(Holdings holdings) {
        if (storeNow != Long.MIN_VALUE) {
            holdings.at(storeNow, askedAt, heardAt);
        }
    }

    /** Whether somebody wants to look at what it leaves behind, and nothing beyond. */
    boolean isLookedAt() {
        return batch.turns.values().stream()
                .anyMatch(turn -> turn.messages.stream().anyMatch(LookMessage.class::isInstance));
    }
}
