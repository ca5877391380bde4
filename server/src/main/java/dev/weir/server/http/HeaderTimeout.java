package dev.weir.server.http;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Closes connections whose request line and headers take too long. Jetty itself closes only idle connections, so a
 * client could keep one for ever by sending a byte now and then.
 */
final class HeaderTimeout {
    private final Duration timeout;
    private final Map<EndPoint, PendingRequest> pending = new HashMap<>();

    /**
     * A request with incomplete headers: the number of requests before it on its connection, and when it was first
     * seen.
     */
    private record PendingRequest(long requestsBefore, long seenAt) {}

    HeaderTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    /** Checks all connections once. */
    void check(Collection<EndPoint> open, long nanos) {
        pending.keySet().retainAll(open);
        for (EndPoint endPoint : open) {
            if (endPoint.getConnection() instanceof HttpConnection connection && isReadingHeaders(connection)) {
                track(endPoint, connection.getMessagesIn(), nanos);
            } else {
                pending.remove(endPoint);
            }
        }
    }

    private void track(EndPoint endPoint, long requestsBefore, long nanos) {
        PendingRequest tracked = pending.get(endPoint);
        if (tracked == null || tracked.requestsBefore != requestsBefore) {
            pending.put(endPoint, new PendingRequest(requestsBefore, nanos));
        } else if (nanos - tracked.seenAt > timeout.toNanos()) {
            pending.remove(endPoint);
            endPoint.close();
        }
    }

    private static boolean isReadingHeaders(HttpConnection connection) {
        var parser = connection.getParser();
        return parser.inHeaderState() && !parser.isStart();
    }
}
