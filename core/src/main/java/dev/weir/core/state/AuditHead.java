package dev.weir.core.state;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of an audit chain. Somebody who keeps it elsewhere can prove later that no entry was removed from the end.
 *
 * @param count the number of entries
 * @param hash the hash of the last entry, as 64 hexadecimal digits
 */
public record AuditHead(long count, String hash) {
    /** The head of a chain without entries. */
    public static final AuditHead EMPTY = new AuditHead(0, "0".repeat(64));

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}):([0-9a-f]{64})");

    /** The form in which people keep a head: the count and the hash, with a colon between them. */
    public String text() {
        return count + ":" + hash;
    }

    /** Reads the form of {@link #text}. */
    public static Optional<AuditHead> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new AuditHead(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }
}
