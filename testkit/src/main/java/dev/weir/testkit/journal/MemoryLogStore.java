package dev.weir.testkit.journal;

import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.log.LogTail;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps the logs of attempts in memory. */
final class MemoryLogStore implements LogStore {
    private final MemoryJournal journal;
    /** The logs of claims by fence, by organisation and unit. */
    private final Map<String, TreeMap<Long, OfClaim>> logs = new TreeMap<>();

    /** The log of one claim. */
    private static final class OfClaim {
        private final int attempt;
        private final Deque<LogChunk> pieces = new ArrayDeque<>();

        OfClaim(int attempt) {
            this.attempt = attempt;
        }

        Kept add(LogChunk said) {
            long known = pieces.isEmpty() ? 0 : pieces.getLast().until();
            Optional<LogChunk> rest = said.after(known);
            if (rest.isEmpty()) {
                return Kept.REPLAYED;
            }
            LogChunk piece = rest.get();
            pieces.add(piece);
            while (pieces.size() > PIECES_MAX || pieces.getFirst().until() <= piece.until() - BYTES_MAX) {
                pieces.removeFirst();
            }
            return Kept.KEPT;
        }

        List<LogChunk> after(LogTail.Cursor cursor) {
            return pieces.stream()
                    .filter(piece -> piece.fence() > cursor.fence()
                            || (piece.fence() == cursor.fence() && piece.until() > cursor.until()))
                    .toList();
        }
    }

    MemoryLogStore(MemoryJournal journal) {
        this.journal = journal;
    }

    private static String key(String org, UnitId unit) {
        return org + "/" + unit;
    }

    @Override
    public synchronized Kept append(String org, LogChunk piece) {
        Optional<Claim> claim = journal.claim(org, piece.unit());
        if (claim.isEmpty() || claim.get().fence() != piece.fence()) {
            return Kept.CLAIM_LOST;
        }
        int attempt = journal.records()
                .findStep(org, piece.unit())
                .orElseThrow(() -> new IllegalStateException("expected the step of a claim, found none"))
                .attempts();
        return logs.computeIfAbsent(key(org, piece.unit()), ignored -> new TreeMap<>())
                .computeIfAbsent(piece.fence(), ignored -> new OfClaim(attempt))
                .add(piece);
    }

    @Override
    public synchronized LogTail read(String org, UnitId unit, @Nullable Integer attempt, String after) {
        LogTail.Cursor cursor = LogTail.Cursor.of(after);
        TreeMap<Long, OfClaim> claims = logs.getOrDefault(key(org, unit), new TreeMap<>());
        if (attempt != null) {
            return LogTail.of(attempt, later(claims, attempt, cursor), cursor);
        }
        if (!cursor.equals(LogTail.Cursor.BEGINNING)) {
            for (OfClaim claim : claims.tailMap(cursor.fence(), true).values()) {
                List<LogChunk> rest = claim.after(cursor);
                if (!rest.isEmpty()) {
                    return LogTail.of(claim.attempt, rest, cursor);
                }
            }
        }
        int newest = claims.isEmpty() ? 0 : claims.lastEntry().getValue().attempt;
        return LogTail.of(newest, later(claims, newest, cursor), cursor);
    }

    private static List<LogChunk> later(Map<Long, OfClaim> claims, int attempt, LogTail.Cursor cursor) {
        return claims.values().stream()
                .filter(claim -> claim.attempt == attempt)
                .flatMap(claim -> claim.after(cursor).stream())
                .toList();
    }
}
