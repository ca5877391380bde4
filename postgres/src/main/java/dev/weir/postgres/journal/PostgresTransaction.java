package dev.weir.postgres.journal;

import dev.weir.core.state.Move;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.sql.PipelinedTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction under a shard ownership. It collects moves and writes them all at commit. */
final class PostgresTransaction implements Transaction {
    /** The most bytes of starts taken from the inbox at once. A single larger start is still taken. */
    private static final long INBOX_BYTES_MAX = 8 << 20;

    private final PostgresShardOwnership ownership;
    private final long now;
    private final Map<String, List<Move>> moves = new LinkedHashMap<>();
    private @Nullable PostgresPreparedWrites prepared;
    private boolean open = true;

    PostgresTransaction(PostgresShardOwnership ownership, long now) {
        this.ownership = ownership;
        this.now = now;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public List<InboxStart> takeInbox(int most, Set<String> except) {
        List<InboxStart> starts = new ArrayList<>();
        try (var statement = ownership.connection.prepareStatement(PostgresShardOwnership.SQL.get("take_inbox"))) {
            statement.setInt(1, most);
            statement.setInt(2, ownership.shard());
            statement.setArray(3, ownership.connection.createArrayOf("text", except.toArray()));
            statement.setInt(4, most);
            statement.setLong(5, INBOX_BYTES_MAX);
            try (var taken = statement.executeQuery()) {
                while (taken.next()) {
                    starts.add(readStart(taken.getString(1), taken.getString(2), taken.getString(3)));
                }
            }
            return starts;
        } catch (SQLException e) {
            open = false;
            throw ownership.abort("taking starts from the inbox", e);
        }
    }

    /**
     * Reads one start from the inbox. Programs may leave any JSON, and an unreadable start must not block the others.
     */
    private static InboxStart readStart(String org, String by, String request) {
        try {
            return new InboxStart(org, by, StartJson.read(request), request, null);
        } catch (RuntimeException | StackOverflowError e) {
            return InboxStart.unreadable(org, by, "expected a start in the format of Inbox.startIn, found " + e);
        }
    }

    @Override
    public void write(String org, List<Move> more) {
        moves.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(more);
    }

    @Override
    public void write(PreparedWrites writes) {
        if (moves.isEmpty() && prepared == null && writes instanceof PostgresPreparedWrites postgresWrites) {
            prepared = postgresWrites;
        } else {
            Transaction.super.write(writes);
        }
    }

    @Override
    public void commit() {
        if (!open) {
            throw new IllegalStateException("expected a transaction that is open, found one that has ended");
        }
        open = false;
        ownership.commit(mergeWrites(), new PipelinedTransaction(ownership.connection));
    }

    /** Returns everything to write. All moves of one organisation are turned into rows together. */
    private PostgresPreparedWrites mergeWrites() {
        if (prepared != null && moves.isEmpty()) {
            return prepared;
        }
        Map<String, List<Move>> all = new LinkedHashMap<>();
        if (prepared != null) {
            prepared.moves().forEach((org, first) -> all.put(org, new ArrayList<>(first)));
        }
        moves.forEach((org, more) ->
                all.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(more));
        return new PostgresPreparedWrites(all, ownership);
    }

    boolean isOpen() {
        return open;
    }

    @Override
    public void rollback() {
        if (!open) {
            throw new IllegalStateException("expected a transaction that is open, found one that has ended");
        }
        open = false;
        try {
            ownership.connection.rollback();
        } catch (SQLException e) {
            throw ownership.abort("ending a transaction of shard " + ownership.shard() + " that changes nothing", e);
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            ownership.rollBack();
        }
    }
}
