package dev.weir.server.http;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose request line and headers take too long, or the handshake of TLS before them. Jetty itself closes only idle connections, so a
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
            check(endPoint, endPoint.getConnection(), nanos);
        }
    }

    private void check(EndPoint endPoint, @Nullable Connection connection, long nanos) {
        if (connection instanceof SslConnection tls && isInHandshake(tls)) {
            track(endPoint, 0, nanos);
        } else if (connection instanceof SslConnection tls) {
            check(endPoint, tls.getSslEndPoint().getConnection(), nanos);
        } else if (connection instanceof HttpConnection http && isReadingHeaders(http)) {
            track(endPoint, http.getMessagesIn(), nanos);
        } else {
            pending.remove(endPoint);
        }
    }

    private static boolean isInHandshake(SslConnection tls) {
        return tls.getSSLEngine().getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private static boolean isReadingHeaders(HttpConnection connection) {
        var parser = connection.getParser();
        return parser.inHeaderState() && !parser.isStart();
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
}
