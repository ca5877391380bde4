package dev.weir.engine.log;

import dev.weir.core.life.UnitId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Something that a try says.
 *
 * @param fence that of its claim
 * @param from where it begins: how many bytes this claim has said before, those that were dropped too
 */
public record Piece(UnitId unit, long fence, long from, String text) {
    public Piece {
        int bytes = bytes(text);
        if (bytes == 0 || bytes > Logs.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "text: expected 1 to " + Logs.BYTES_MAX + " bytes in UTF-8, found " + bytes);
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("text: expected text without the character U+0000, found it");
        }
        if (from < 0 || from > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("from: expected a number of bytes, found " + from);
        }
    }

    /** Where it ends. */
    public long until() {
        return from + bytes(text);
    }

    /**
     * What of it comes after so many bytes: the rest was said before. Nothing where those end within its last character,
     * as they do for one who counts characters.
     */
    public Optional<Piece> after(long bytes) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        int known = (int) Math.max(0, Math.min(bytes - from, all.length));
        while (known < all.length && (all[known] & 0xC0) == 0x80) {
            known++;
        }
        String rest = new String(all, known, all.length - known, StandardCharsets.UTF_8);
        return rest.isEmpty() ? Optional.empty() : Optional.of(new Piece(unit, fence, from + known, rest));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
