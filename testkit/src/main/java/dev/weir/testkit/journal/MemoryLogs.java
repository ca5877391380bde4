package dev.weir.testkit.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.UnitId;
import dev.weir.engine.log.Logs;
import dev.weir.engine.log.Piece;
import dev.weir.engine.log.Said;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps what tries say in memory. */
final class MemoryLogs implements Logs {
    private final MemoryJournal journal;
    /** By organisation and step, what each claim has said, by its fence. */
    private final Map<String, TreeMap<Long, OfClaim>> logs = new TreeMap<>();

    /** What one claim has said. */
    private static final class OfClaim {
        private final int attempt;
        private final Deque<Piece> pieces = new ArrayDeque<>();

        OfClaim(int attempt) {
            this.attempt = attempt;
        }

        Kept add(Piece said) {
            long known = pieces.isEmpty() ? 0 : pieces.getLast().until();
            Optional<Piece> rest = said.after(known);
            if (rest.isEmpty()) {
                return Kept.REPLAYED;
            }
            Piece piece = rest.get();
            pieces.add(piece);
            while (pieces.size() > PIECES_MAX || pieces.getFirst().until() <= piece.until() - BYTES_MAX) {
                pieces.removeFirst();
            }
            return Kept.KEPT;
        }
    }

    MemoryLogs(MemoryJournal journal) {
        this.journal = journal;
    }

    private static String key(String org, UnitId unit) {
        return org + "/" + unit;
    }

    @Override
    public synchronized Kept append(String org, Piece piece) {
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
    public synchronized Said read(String org, UnitId unit, @Nullable Integer attempt, String after) {
        Said.Cursor cursor = Said.Cursor.of(after);
        TreeMap<Long, OfClaim> claims = logs.getOrDefault(key(org, unit), new TreeMap<>());
        int newest = claims.isEmpty() ? 0 : claims.lastEntry().getValue().attempt;
        int chosen = attempt == null ? newest : attempt;
        List<Piece> pieces = new ArrayList<>();
        claims.forEach((fence, claim) -> {
            for (Piece piece : claim.pieces) {
                boolean later = fence > cursor.fence() || (fence == cursor.fence() && piece.until() > cursor.until());
                if (claim.attempt == chosen && later) {
                    pieces.add(piece);
                }
            }
        });
        return Said.of(chosen, pieces, cursor);
    }
}
