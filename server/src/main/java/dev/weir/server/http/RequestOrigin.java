package dev.weir.server.http;

import dev.weir.core.state.ChangeOrigin;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** Reads where a request came from, and under which id its sender knows it. */
final class RequestOrigin {
    static final String REQUEST_ID = "X-Request-Id";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    static final String ORIGIN = "Weir-Origin";
    static final String REASON = "Weir-Reason";

    /** The origins that a request may name. The others belong to Weir. */
    private static final Set<ChangeOrigin> ALLOWED =
            EnumSet.of(ChangeOrigin.API, ChangeOrigin.CLI, ChangeOrigin.CONSOLE);

    private RequestOrigin() {}

    static ChangeOrigin origin(Optional<String> header) {
        if (header.isEmpty()) {
            return ChangeOrigin.API;
        }
        return ChangeOrigin.find(header.get())
                .filter(ALLOWED::contains)
                .orElseThrow(() -> RefusedRequest.invalid(
                        ORIGIN,
                        "one of " + ALLOWED.stream().map(ChangeOrigin::word).collect(Collectors.joining(", ")),
                        "'" + header.get() + "'"));
    }

    /** Returns an id for a request that has none. It need not be secret, only unlikely to occur twice. */
    static String newRequestId() {
        var random = ThreadLocalRandom.current();
        return Long.toHexString(random.nextLong() | Long.MIN_VALUE) + Long.toHexString(random.nextLong());
    }
}
