package dev.weir.client;

import dev.weir.api.Logs;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a job says, until it was sent: the last 64 KiB of it. Safe for many threads. */
final class LogBuffer {
    private byte[] pending = new byte[0];
    /** How many bytes were said before what is pending. */
    private long from;

    /** A piece to be sent: where it begins, and its text. */
    record Unsent(long from, String text) {
        long until() {
            return from + text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** Takes a text in; what no log can hold in it is replaced. */
    synchronized void add(String text) {
        byte[] more = kept(text).getBytes(StandardCharsets.UTF_8);
        var joined = new ByteArrayOutputStream(pending.length + more.length);
        joined.writeBytes(pending);
        joined.writeBytes(more);
        pending = joined.toByteArray();
        drop(pending.length - Logs.BYTES_MAX);
    }

    /** A text without U+0000 and half surrogate pairs, which the server would refuse. */
    static String kept(String text) {
        byte[] bytes = text.replace('\0', '\uFFFD').getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** What is to be sent next, if anything. It stays until it was {@link #sent}. */
    synchronized @Nullable Unsent next() {
        return pending.length == 0 ? null : new Unsent(from, new String(pending, StandardCharsets.UTF_8));
    }

    /** All up to there has arrived. */
    synchronized void sent(long until) {
        drop((int) Math.max(0, until - from));
    }

    /** Lets so many of the oldest bytes go, and the rest of a character with them. */
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
