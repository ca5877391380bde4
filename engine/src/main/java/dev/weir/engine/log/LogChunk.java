package dev.weir.engine.log;

import dev.weir.core.state.UnitId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A part of an attempt's log.
 *
 * @param fence fence of its claim
 * @param from offset at which it begins: the number of bytes that this claim has logged before, dropped ones included
 */
public record LogChunk(UnitId unit, long fence, long from, String text) {
    public LogChunk {
        int bytes = bytes(text);
        if (bytes == 0 || bytes > LogStore.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "text: expected 1 to " + LogStore.BYTES_MAX + " bytes in UTF-8, found " + bytes);
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("text: expected text without the character U+0000, found one");
        }
        if (from < 0 || from > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("from: expected a number of bytes, found " + from);
        }
    }

    /** The offset at which the chunk ends. */
    public long until() {
        return from + bytes(text);
    }

    /**
     * Returns the part after the first {@code bytes} of the log, which are stored already. The result is empty if they
     * end within the last character, as happens to a worker that counts characters.
     */
    public Optional<LogChunk> after(long bytes) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        int known = (int) Math.max(0, Math.min(bytes - from, all.length));
        while (known < all.length && (all[known] & 0xC0) == 0x80) {
            known++;
        }
        String rest = new String(all, known, all.length - known, StandardCharsets.UTF_8);
        return rest.isEmpty() ? Optional.empty() : Optional.of(new LogChunk(unit, fence, from + known, rest));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
