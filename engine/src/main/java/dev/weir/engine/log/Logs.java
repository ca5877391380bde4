package dev.weir.engine.log;

import dev.weir.core.life.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what tries say, the last of it. Writing goes past the loop: it needs no decision, only the claim of the one who
 * says it. Safe for many threads; fails with {@link dev.weir.engine.Unavailable} if it is safe to say it again.
 */
public interface Logs {
    /** What is kept of one try, in bytes; also the longest piece. */
    int BYTES_MAX = 64 * 1024;
    /** Pieces that are kept of one try. */
    int PIECES_MAX = 256;

    /** What became of a piece. */
    enum Kept {
        KEPT,
        /** It was kept before. */
        REPLAYED,
        /** The claim has ended, or a newer one is there: nothing was kept. */
        CLAIM_LOST
    }

    /** Keeps a piece behind what the same claim has said before. */
    Kept append(String org, Piece piece);

    /**
     * What a try has said.
     *
     * @param attempt which try, from 1; absent = the newest that has said anything
     * @param after where an earlier answer ended; empty = from the beginning of what is kept
     */
    Said read(String org, UnitId unit, @Nullable Integer attempt, String after);
}
