package dev.weir.engine.log;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stored end of an attempt's log.
 *
 * @param attempt number of the attempt; 0 if none has logged anything
 * @param text stored text, or the part of it after the end of an earlier answer
 * @param truncated true if text before it, or within it, is no longer stored
 * @param next cursor for the next read
 */
public record LogTail(int attempt, String text, boolean truncated, String next) {
    private static final Pattern CURSOR = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,18})");

    /**
     * The position at which an answer ended.
     *
     * @param fence fence of the claim
     * @param until number of bytes that it had logged
     */
    public record Cursor(long fence, long until) {
        public static final Cursor BEGINNING = new Cursor(0, 0);

        /** Parses a {@link LogTail#next}; throws if the text is anything else. */
        public static Cursor of(String text) {
            if (text.isEmpty()) {
                return BEGINNING;
            }
            Matcher parts = CURSOR.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "expected the value of next of an earlier response, such as 1.2048, found '" + text + "'");
            }
            return new Cursor(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
        }

        @Override
        public String toString() {
            return fence + "." + until;
        }
    }

    /** Joins the chunks that a store has kept after a cursor, oldest first. */
    public static LogTail of(int attempt, List<LogChunk> chunks, Cursor after) {
        var text = new StringBuilder();
        boolean truncated = false;
        Cursor cursor = after;
        for (LogChunk chunk : chunks) {
            long expected = chunk.fence() == cursor.fence ? cursor.until : 0;
            if (chunk.from() > expected) {
                truncated = true;
                if (!text.isEmpty()) {
                    text.append("\n[… ").append(chunk.from() - expected).append(" bytes omitted …]\n");
                }
            }
            text.append(chunk.text());
            cursor = new Cursor(chunk.fence(), chunk.until());
        }
        String all = text.toString();
        String last = tail(all);
        return new LogTail(attempt, last, truncated || last.length() < all.length(), cursor.toString());
    }

    /** The end of a text that fits into the stored size of an attempt, in whole characters. */
    public static String tail(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LogStore.BYTES_MAX) {
            return text;
        }
        int from = bytes.length - LogStore.BYTES_MAX;
        while (from < bytes.length && (bytes[from] & 0xC0) == 0x80) {
            from++;
        }
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }
}
