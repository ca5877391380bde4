package dev.weir.testkit.journal;

import dev.weir.core.life.Move;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.JournalFailure;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** A transaction of a journal in memory. */
final class MemoryEntry implements Entry {
    private final MemoryJournal journal;
    private final MemoryTenure tenure;
    private final long now;
    private final Map<String, List<Move>> moves = new LinkedHashMap<>();
    private final List<InboxStart> inbox = new ArrayList<>();
    private State state = State.OPEN;

    private enum State {
        OPEN,
        /** Its owner knows no more of it, and it is not yet written. */
        LATE,
        OVER
    }

    MemoryEntry(MemoryJournal journal, MemoryTenure tenure, long now) {
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
        Faults.Commit fate = journal.faults().committing(tenure.shard(), moves);
        synchronized (journal) {
            commit(fate);
        }
        journal.faults().committed(tenure.shard(), moves);
        if (fate == Faults.Commit.WRITTEN_UNTOLD) {
            throw untold();
        }
    }

    private void commit(Faults.Commit fate) {
        if (state != State.OPEN) {
            throw untold();
        }
        switch (fate) {
            case WRITTEN, WRITTEN_UNTOLD -> {
                requireNoneTaken();
                apply();
            }
            case WRITTEN_LATE -> {
                requireNoneTaken();
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

    private void requireNoneTaken() {
        moves.forEach((org, decided) -> {
            Set<String> taken = journal.shelf(org).taken(decided);
            if (!taken.isEmpty()) {
                state = State.OVER;
                throw new JournalFailure.RunsTaken(org, taken);
            }
        });
    }

    /** Writes everything at once; whoever reads holds the journal's lock too. */
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

    /** What was sent arrives. */
    void land() {
        if (state == State.LATE) {
            apply();
            journal.faults().committed(tenure.shard(), moves);
        }
    }

    /** Another tenure is about to begin. What was sent is written now or never; what is still open is broken off. */
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
