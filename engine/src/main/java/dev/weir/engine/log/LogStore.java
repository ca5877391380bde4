package dev.weir.engine.log;

import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * Stores the last part of each attempt's log. Writes need no decision of the shard loop, only the writer's
 * live claim. Safe for use by many threads. Fails with {@link dev.weir.engine.request.Unavailable} if the caller can safely ask
 * again.
 */
public interface LogStore {
    /** The number of bytes that are kept of one attempt, and the size of the largest chunk. */
    int BYTES_MAX = 64 * 1024;
    /** The number of chunks that are kept of one attempt. */
    int CHUNKS_MAX = 256;

    /** The outcome of an append. */
    enum AppendResult {
        KEPT,
        /** The chunk was stored before. */
        REPLAYED,
        /** The claim has ended, or there is a newer one; nothing was stored. */
        CLAIM_LOST
    }

    /** Appends a chunk to the log of its claim. */
    AppendResult append(String org, LogChunk chunk);

    /**
     * Reads the log of an attempt. A reader that names no attempt begins with the newest one that has logged anything,
     * and then follows: each next call returns the rest of the oldest claim that has logged something after {@code
     * after}.
     *
     * @param attempt number of the attempt, from 1; absent = as described above
     * @param after the {@link LogTail#next} of an earlier call; empty = from the beginning of the stored text
     */
    LogTail read(String org, UnitId unit, @Nullable Integer attempt, String after);
}
