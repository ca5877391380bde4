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
    record Unsent(long from, String text) {
        long until() {
            return from + text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** Adds a text. Characters that no log can hold are replaced. */
    synchronized void add(String text) {
        byte[] more = kept(text).getBytes(StandardCharsets.UTF_8);
        var joined = new ByteArrayOutputStream(pending.length + more.length);
        joined.writeBytes(pending);
        joined.writeBytes(more);
        pending = joined.toByteArray();
        drop(pending.length - Logs.BYTES_MAX);
    }

    /** Returns a text without U+0000 and unpaired surrogates, which the server would refuse. */
    static String kept(String text) {
        byte[] bytes = text.replace('\0', '\uFFFD').getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the chunk to send next, or null. It stays pending until {@link #sent} confirms it. */
    synchronized @Nullable Unsent next() {
        return pending.length == 0 ? null : new Unsent(from, new String(pending, StandardCharsets.UTF_8));
    }

    /** Confirms that everything up to this position has arrived. */
    synchronized void sent(long until) {
        drop((int) Math.max(0, until - from));
    }

    /** Drops this many of the oldest bytes, and the rest of a character that the cut splits. */
    private void drop(int bytes) {
        if (bytes <= 0) {
            return;
        }
        int kept = Math.min(bytes, pending.length);
        while (kept < pending.length && (pending[kept] & 0xC0) == 0x80) {
            kept++;
        }
        pending = Arrays.copyOfRange(pending, kept, pending.length);
        from += kept;
    }
}
