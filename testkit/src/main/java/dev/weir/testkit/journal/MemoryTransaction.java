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
    private final MemoryShardOwnership tenure;
    private final long now;
    private final Map<String, List<Move>> moves = new LinkedHashMap<>();
    private final List<InboxStart> inbox = new ArrayList<>();
    private State state = State.OPEN;

    private enum State {
        OPEN,
        /** The owner no longer knows of the transaction, and it is not written yet. */
        LATE,
        OVER
    }

    MemoryTransaction(MemoryJournal journal, MemoryShardOwnership tenure, long now) {
        this.journal = journal;
        this.tenure = tenure;
        this.now = now;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public List<InboxStart> takeInbox(int most, Set<String> except) {
        journal.faults().takingInbox(tenure.shard());
        synchronized (journal) {
            Map<String, Queue<InboxStart>> waiting = new LinkedHashMap<>();
            for (InboxStart start : journal.inbox()) {
                if (journal.shardOf(start.org()) == tenure.shard() && !except.contains(start.org())) {
                    waiting.computeIfAbsent(start.org(), ignored -> new ArrayDeque<>())
                            .add(start);
                }
            }
            while (inbox.size() < most && !waiting.isEmpty()) {
                waiting.values().stream().limit(most - inbox.size()).forEach(starts -> inbox.add(starts.remove()));
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
        JournalFaults.Commit fate = journal.faults().committing(tenure.shard(), moves);
        synchronized (journal) {
            commit(fate);
        }
        journal.faults().committed(tenure.shard(), moves);
        if (fate == JournalFaults.Commit.WRITTEN_UNTOLD) {
            throw untold();
        }
    }

    private void commit(JournalFaults.Commit fate) {
        if (state != State.OPEN) {
            throw untold();
        }
        switch (fate) {
            case WRITTEN, WRITTEN_UNTOLD -> {
                check();
                apply();
            }
            case WRITTEN_LATE -> {
                check();
                state = State.LATE;
                throw untold();
            }
            case UNWRITTEN_UNTOLD -> {
                state = State.OVER;
                throw untold();
            }
            case REFUSED -> {
                state = State.OVER;
                throw new JournalFailure.Refused("told to refuse", new IllegalStateException("told to refuse"));
            }
        }
    }

    private static JournalFailure.Lost untold() {
        return new JournalFailure.Lost("the connection broke", new IOException("the connection broke"));
    }

    private void check() {
        requireNoneTaken();
        requireClaims();
    }

    /** Refuses to extend a claim that no longer has a row, so that its worker is not told that the claim lasts. */
    private void requireClaims() {
        moves.forEach((org, decided) -> {
            Set<UnitId> unclaimed = journal.shelf(org).unclaimed(decided);
            if (!unclaimed.isEmpty()) {
                state = State.OVER;
                String why = "expected rows of the claims that are extended, found none of " + unclaimed;
                throw new JournalFailure.Refused(why, new IllegalStateException(why));
            }
        });
    }

    private void requireNoneTaken() {
        moves.forEach((org, decided) -> {
            Set<String> taken = journal.shelf(org).taken(decided);
            if (!taken.isEmpty()) {
                state = State.OVER;
                throw new JournalFailure.RunsTaken(org, taken);
            }
        });
    }

    /** Writes everything at once. Readers hold the journal's lock too. */
    private void apply() {
        tenure.requireHeld();
        state = State.OVER;
        moves.forEach((org, decided) -> {
            journal.shelf(org).apply(decided);
            decided.forEach(move -> journal.atLeast(move.at()));
        });
        journal.taken(inbox);
    }

    boolean over() {
        return state == State.OVER;
    }

    /** Completes the transaction, if it was sent and is still in flight. */
    void land() {
        if (state == State.LATE) {
            apply();
            journal.faults().committed(tenure.shard(), moves);
        }
    }

    /**
     * Ends the transaction because another ownership begins. If it was sent, it is written now; if it is open, it is
     * aborted.
     */
    void overtaken() {
        land();
        state = State.OVER;
    }

    @Override
    public void rollback() {
        synchronized (journal) {
            if (state != State.OPEN) {
                throw untold();
            }
            state = State.OVER;
        }
    }

    @Override
    public void close() {
        synchronized (journal) {
            if (state == State.OPEN) {
                state = State.OVER;
            }
        }
    }
}
