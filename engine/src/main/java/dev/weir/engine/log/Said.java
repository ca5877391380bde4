package dev.weir.engine.log;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a try has said.
 *
 * @param attempt which try; 0 if none has said anything
 * @param text what is kept of it, or what came after where an earlier answer ended
 * @param cut whether something before it, or of it, is no longer there
 * @param next where it ends, for the next question
 */
public record Said(int attempt, String text, boolean cut, String next) {
    private static final Pattern CURSOR = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,18})");

    /**
     * Where an answer ended.
     *
     * @param fence of which claim
     * @param until how many bytes it had said
     */
    public record Cursor(long fence, long until) {
        public static final Cursor BEGINNING = new Cursor(0, 0);

        /** Reads what {@link Said#next} has said; throws if it is something else. */
        public static Cursor of(String text) {
            if (text.isEmpty()) {
                return BEGINNING;
            }
            Matcher parts = CURSOR.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "expected the next of an earlier answer, such as 1.2048, found '" + text + "'");
            }
            return new Cursor(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
        }

        @Override
        public String toString() {
            return fence + "." + until;
        }
    }

    /** Puts together what a store has kept after a cursor, oldest first. */
    public static Said of(int attempt, List<Piece> pieces, Cursor after) {
        var text = new StringBuilder();
        boolean cut = false;
        Cursor at = after;
        for (Piece piece : pieces) {
            long expected = piece.fence() == at.fence ? at.until : 0;
            if (piece.from() > expected) {
                cut = true;
                if (!text.isEmpty()) {
                    text.append("\n[… ").append(piece.from() - expected).append(" bytes left out …]\n");
                }
            }
            text.append(piece.text());
            at = new Cursor(piece.fence(), piece.until());
        }
        String all = text.toString();
        String last = last(all);
        return new Said(attempt, last, cut || last.length() < all.length(), at.toString());
    }

    /** The last of a text that is no longer than what is kept of a try, in whole characters. */
    public static String last(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= Logs.BYTES_MAX) {
            return text;
        }
        int from = bytes.length - Logs.BYTES_MAX;
        while (from < bytes.length && (bytes[from] & 0xC0) == 0x80) {
            from++;
        }
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }
}
