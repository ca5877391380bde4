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
    private final Duration timeMax;
    private final Map<EndPoint, Begun> begun = new HashMap<>();

    /**
     * A request with incomplete headers: the number of requests before it on its connection, and when it was first
     * seen.
     */
    private record Begun(long before, long at) {}

    HeaderTimeout(Duration timeMax) {
        this.timeMax = timeMax;
    }

    /** Checks all connections once. */
    void look(Collection<EndPoint> open, long nanos) {
        begun.keySet().retainAll(open);
        for (EndPoint endPoint : open) {
            if (endPoint.getConnection() instanceof HttpConnection connection && isAmidHeaders(connection)) {
                watch(endPoint, connection.getMessagesIn(), nanos);
            } else {
                begun.remove(endPoint);
            }
        }
    }

    private void watch(EndPoint endPoint, long before, long nanos) {
        Begun known = begun.get(endPoint);
        if (known == null || known.before != before) {
            begun.put(endPoint, new Begun(before, nanos));
        } else if (nanos - known.at > timeMax.toNanos()) {
            begun.remove(endPoint);
            endPoint.close();
        }
    }

    private static boolean isAmidHeaders(HttpConnection connection) {
        var parser = connection.getParser();
        return parser.inHeaderState() && !parser.isStart();
    }
}
