package dev.weir.testkit.journal;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.log.LogTail;
import dev.weir.engine.records.LoggedAttempt;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps the logs of attempts in memory. */
final class MemoryLogStore implements LogStore {
    private final MemoryJournal journal;
    /** The logs of claims by fence, by organisation and unit. */
    private final Map<String, Map<UnitId, TreeMap<Long, StoredLog>>> logs = new HashMap<>();

    /** The log of one claim. */
    private static final class StoredLog {
        private final int attempt;
        private final Deque<LogChunk> chunks = new ArrayDeque<>();
        private long lastAt;

        StoredLog(int attempt) {
            this.attempt = attempt;
        }

        AppendResult add(LogChunk added) {
            long storedUntil = chunks.isEmpty() ? 0 : chunks.getLast().until();
            Optional<LogChunk> rest = added.after(storedUntil);
            if (rest.isEmpty()) {
                return AppendResult.REPLAYED;
            }
            LogChunk chunk = rest.get();
            chunks.add(chunk);
            while (chunks.size() > CHUNKS_MAX || chunks.getFirst().until() <= chunk.until() - BYTES_MAX) {
                chunks.removeFirst();
            }
            return AppendResult.KEPT;
        }

        List<LogChunk> after(LogTail.Cursor cursor) {
            return chunks.stream()
                    .filter(chunk -> chunk.fence() > cursor.fence()
                            || (chunk.fence() == cursor.fence() && chunk.until() > cursor.until()))
                    .toList();
        }
    }

    MemoryLogStore(MemoryJournal journal) {
        this.journal = journal;
    }

    /** The attempts of one step or item that have logged something, newest first. */
    synchronized List<LoggedAttempt> attempts(String org, UnitId unit) {
        TreeMap<Integer, LoggedAttempt> attempts = new TreeMap<>(Comparator.reverseOrder());
        TreeMap<Long, StoredLog> claims = logs.getOrDefault(org, Map.of()).getOrDefault(unit, new TreeMap<>());
        for (StoredLog claim : claims.values()) {
            LogTail log = LogTail.of(
                    claim.attempt,
                    chunksAfter(claims, claim.attempt, LogTail.Cursor.BEGINNING),
                    LogTail.Cursor.BEGINNING);
            attempts.put(
                    claim.attempt,
                    LoggedAttempt.of(unit, claim.attempt, Moment.toInstant(claim.lastAt), log.text(), log.truncated()));
        }
        return List.copyOf(attempts.values());
    }

    @Override
    public synchronized AppendResult append(String org, LogChunk chunk) {
        Optional<Claim> claim = journal.claim(org, chunk.unit());
        if (claim.isEmpty() || claim.get().fence() != chunk.fence()) {
            return AppendResult.CLAIM_LOST;
        }
        int attempt = journal.records()
                .findStep(org, chunk.unit())
                .orElseThrow(() -> new IllegalStateException("expected the step of a claim, found none"))
                .attempts();
        StoredLog log = logs.computeIfAbsent(org, ignored -> new HashMap<>())
                .computeIfAbsent(chunk.unit(), ignored -> new TreeMap<>())
                .computeIfAbsent(chunk.fence(), ignored -> new StoredLog(attempt));
        log.lastAt = journal.now();
        return log.add(chunk);
    }

    @Override
    public synchronized LogTail read(String org, UnitId unit, @Nullable Integer attempt, String after) {
        LogTail.Cursor cursor = LogTail.Cursor.of(after);
        TreeMap<Long, StoredLog> claims = logs.getOrDefault(org, Map.of()).getOrDefault(unit, new TreeMap<>());
        if (attempt != null) {
            return LogTail.of(attempt, chunksAfter(claims, attempt, cursor), cursor);
        }
        if (!cursor.equals(LogTail.Cursor.BEGINNING)) {
            for (StoredLog claim : claims.tailMap(cursor.fence(), true).values()) {
                List<LogChunk> rest = claim.after(cursor);
                if (!rest.isEmpty()) {
                    return LogTail.of(claim.attempt, rest, cursor);
                }
            }
        }
        int newest = claims.isEmpty() ? 0 : claims.lastEntry().getValue().attempt;
        return LogTail.of(newest, chunksAfter(claims, newest, cursor), cursor);
    }

    private static List<LogChunk> chunksAfter(Map<Long, StoredLog> claims, int attempt, LogTail.Cursor cursor) {
        return claims.values().stream()
                .filter(claim -> claim.attempt == attempt)
                .flatMap(claim -> claim.after(cursor).stream())
                .toList();
    }
}
