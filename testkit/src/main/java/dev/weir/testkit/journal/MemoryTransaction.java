package dev.weir.testkit.journal;

import dev.weir.core.state.Move;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Transaction;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** A transaction of a journal in memory. */
final class MemoryTransaction implements Transaction {
    private final MemoryJournal journal;
    private final MemoryShardOwnership ownership;
    private final long now;
    private final Map<String, List<Move>> moves = new LinkedHashMap<>();
    private final List<InboxStart> inbox = new ArrayList<>();
    private State state = State.OPEN;

    private enum State {
        OPEN,
        /** The owner no longer knows of the transaction, and it is not written yet. */
        IN_FLIGHT,
        FINISHED
    }

    MemoryTransaction(MemoryJournal journal, MemoryShardOwnership ownership, long now) {
        this.journal = journal;
        this.ownership = ownership;
        this.now = now;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public List<InboxStart> takeInbox(int max, Set<String> excluded) {
        journal.faults().beforeTakeInbox(ownership.shard());
        synchronized (journal) {
            Map<String, Queue<InboxStart>> waiting = new LinkedHashMap<>();
            for (InboxStart start : journal.inbox()) {
                if (journal.shardOf(start.org()) == ownership.shard()
                        && !excluded.contains(start.org())
                        && !journal.organisation(start.org()).isSuspended()) {
                    waiting.computeIfAbsent(start.org(), ignored -> new ArrayDeque<>())
                            .add(start);
                }
            }
            while (inbox.size() < max && !waiting.isEmpty()) {
                waiting.values().stream().limit(max - inbox.size()).forEach(starts -> inbox.add(starts.remove()));
                waiting.values().removeIf(Queue::isEmpty);
            }
        }
        return List.copyOf(inbox);
    }

    @Override
    public void write(String org, List<Move> decided) {
        moves.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(decided);
    }

    @Override
    public void commit() {
        JournalFaults.CommitFate fate = journal.faults().beforeCommit(ownership.shard(), moves);
        synchronized (journal) {
            commit(fate);
        }
        journal.faults().afterCommit(ownership.shard(), moves);
        if (fate == JournalFaults.CommitFate.WRITTEN_UNTOLD) {
            throw connectionLost();
        }
    }

    private void commit(JournalFaults.CommitFate fate) {
        if (state != State.OPEN) {
            throw connectionLost();
        }
        switch (fate) {
            case WRITTEN, WRITTEN_UNTOLD -> {
                checkConstraints();
                apply();
            }
            case WRITTEN_LATE -> {
                checkConstraints();
                state = State.IN_FLIGHT;
                throw connectionLost();
            }
            case UNWRITTEN_UNTOLD -> {
                state = State.FINISHED;
                throw connectionLost();
            }
            case REFUSED -> {
                state = State.FINISHED;
                throw new JournalFailure.Refused("told to refuse", new IllegalStateException("told to refuse"));
            }
        }
    }

    private static JournalFailure.Lost connectionLost() {
        return new JournalFailure.Lost("the connection broke", new IOException("the connection broke"));
    }

    private void checkConstraints() {
        requireUnusedRunIds();
        requireClaimRows();
    }

    /** Refuses to extend a claim that no longer has a row, so that its worker is not told that the claim lasts. */
    private void requireClaimRows() {
        moves.forEach((org, decided) -> {
            Set<UnitId> unclaimed = journal.organisation(org).extendedWithoutClaim(decided);
            if (!unclaimed.isEmpty()) {
                state = State.FINISHED;
                String why = "expected rows of the claims that are extended, found none of " + unclaimed;
                throw new JournalFailure.Refused(why, new IllegalStateException(why));
            }
        });
    }

    private void requireUnusedRunIds() {
        moves.forEach((org, decided) -> {
            Set<String> reused = journal.organisation(org).reusedRunIds(decided);
            if (!reused.isEmpty()) {
                state = State.FINISHED;
                throw new JournalFailure.RunIdsInUse(org, reused);
            }
        });
    }

    /** Writes everything at once. Readers hold the journal's lock too. */
    private void apply() {
        ownership.requireHeld();
        state = State.FINISHED;
        moves.forEach((org, decided) -> {
            journal.organisation(org).apply(decided);
            decided.forEach(move -> journal.advanceClockTo(move.at()));
        });
        journal.removeFromInbox(inbox);
    }

    boolean isFinished() {
        return state == State.FINISHED;
    }

    /** Completes the transaction, if it was sent and is still in flight. */
    void completeIfInFlight() {
        if (state == State.IN_FLIGHT) {
            apply();
            journal.faults().afterCommit(ownership.shard(), moves);
        }
    }

    /**
     * Ends the transaction because another ownership begins. If it was sent, it is written now; if it is open, it is
     * aborted.
     */
    void supersede() {
        completeIfInFlight();
        state = State.FINISHED;
    }

    @Override
    public void rollback() {
        synchronized (journal) {
            if (state != State.OPEN) {
                throw connectionLost();
            }
            state = State.FINISHED;
        }
    }

    @Override
    public void close() {
        synchronized (journal) {
            if (state == State.OPEN) {
                state = State.FINISHED;
            }
        }
    }
}
