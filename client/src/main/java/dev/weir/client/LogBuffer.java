package dev.weir.client;

import dev.weir.api.Logs;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Holds the log of a job until it is sent, up to its last 64 KiB. Safe for use by many threads. */
final class LogBuffer {
    private byte[] pending = new byte[0];
    /** The number of bytes that were logged before the pending ones. */
    private long from;

    /** A chunk to send: its position and its text. */
    record UnsentChunk(long from, String text) {
        long end() {
            return from + text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** Adds a text. Characters that no log can hold are replaced. */
    synchronized void add(String text) {
        byte[] added = sanitize(text).getBytes(StandardCharsets.UTF_8);
        var joined = new ByteArrayOutputStream(pending.length + added.length);
        joined.writeBytes(pending);
        joined.writeBytes(added);
        pending = joined.toByteArray();
        drop(pending.length - Logs.BYTES_MAX);
    }

    /** Returns a text without U+0000 and unpaired surrogates, which the server would refuse. */
    static String sanitize(String text) {
        byte[] bytes = text.replace('\0', '\uFFFD').getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the chunk to send next, or null. It stays pending until {@link #confirmSent} confirms it. */
    synchronized @Nullable UnsentChunk next() {
        return pending.length == 0 ? null : new UnsentChunk(from, new String(pending, StandardCharsets.UTF_8));
    }

    /** Confirms that everything up to this position has arrived. */
    synchronized void confirmSent(long until) {
        drop((int) Math.max(0, until - from));
    }

    /** Drops this many of the oldest bytes, and the rest of a character that the cut splits. */
    private void drop(int bytes) {
        if (bytes <= 0) {
            return;
        }
        int dropped = Math.min(bytes, pending.length);
        while (dropped < pending.length && (pending[dropped] & 0xC0) == 0x80) {
            dropped++;
        }
        pending = Arrays.copyOfRange(pending, dropped, pending.length);
        from += dropped;
    }
}
