package dev.weir.engine.call;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Checks of a request that need no network. The sender of a call applies them in any case; whoever accepts a call for
 * later applies them too, so that a mistake is refused at once.
 */
public final class CallChecks {
    private static final Set<String> RESERVED_HEADERS = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "upgrade",
            "te",
            "trailer",
            "expect",
            "accept-encoding");

    private CallChecks() {}

    /** The reason why Weir never calls a URL; empty if it may call it. The address of its host is checked later. */
    public static Optional<String> findUrlProblem(String url) {
        try {
            CallTarget.of(url);
            return Optional.empty();
        } catch (CallRefused e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** The reason why Weir sends no such header; empty if it sends it. */
    public static Optional<String> findHeaderProblem(String name, String value) {
        if (RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            return Optional.of("expected no header " + name + ", because Weir sets it; found one");
        }
        if (!isToken(name) || value.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c == 0x7f)) {
            return Optional.of("expected a valid header on one line, found an invalid one: " + name);
        }
        return Optional.empty();
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }
}
