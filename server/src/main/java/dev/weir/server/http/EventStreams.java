package dev.weir.server.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;

/**
 * The open streams of server-sent events. Each is served by the virtual thread of its request, which mostly waits. A
 * client that does not read is disconnected, and can resume.
 */
final class EventStreams {
    /** The time for which a client may not read before it is disconnected. */
    static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final String HEAD = "HEAD";

    private final int streamsMax;
    private final Duration tokenCheckInterval;
    private final Set<OpenStream> open = ConcurrentHashMap.newKeySet();

    /** A stream, and since when its thread has been writing, by the monotonic clock. */
    private static final class OpenStream {
        private static final long NOT_WRITING = Long.MIN_VALUE;

        private final EndPoint endPoint;
        private volatile long writingSince = NOT_WRITING;

        OpenStream(EndPoint endPoint) {
            this.endPoint = endPoint;
        }
    }

    /** Leaves half of the connections to other requests. */
    EventStreams(HttpBounds bounds) {
        this.streamsMax = bounds.connections() / 2;
        this.tokenCheckInterval = bounds.tokenCheckInterval();
    }

    int size() {
        return open.size();
    }

    /** Serves a stream until it ends, the client has gone, or its token is no longer valid. */
    void serve(Context context, Request request, StreamEndpoint endpoint, BooleanSupplier authorised) throws Exception {
        if (open.size() >= streamsMax) {
            throw RefusedRequest.unavailable("this node already serves " + open.size() + " streams", RETRY_AFTER);
        }
        try (EventSource source = endpoint.open(request)) {
            context.status(200).contentType("text/event-stream").header("X-Accel-Buffering", "no");
            if (!context.method().name().equals(HEAD)) {
                var stream = new OpenStream(endPoint(context));
                open.add(stream);
                try {
                    send(source, stream, context.res().getOutputStream(), authorised);
                } catch (IOException e) {
                    // The client has gone or does not read. It can resume on another connection.
                    stream.endPoint.close(e);
                } catch (RuntimeException e) {
                    // The status is already sent, so the log is the only place for the failure.
                    RefusedRequest unused = RefusedRequest.from(e);
                    stream.endPoint.close(e);
                } finally {
                    open.remove(stream);
                }
            }
        }
    }

    private static EndPoint endPoint(Context context) {
        return ServletContextRequest.getServletContextRequest(context.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
    }

    private void send(EventSource source, OpenStream stream, OutputStream out, BooleanSupplier authorised)
            throws IOException, InterruptedException {
        long checkedAt = System.nanoTime();
        for (Optional<String> text = source.next(); text.isPresent(); text = source.next()) {
            if (System.nanoTime() - checkedAt >= tokenCheckInterval.toNanos()) {
                if (!authorised.getAsBoolean()) {
                    return;
                }
                checkedAt = System.nanoTime();
            }
            stream.writingSince = System.nanoTime();
            out.write(text.get().getBytes(StandardCharsets.UTF_8));
            out.flush();
            stream.writingSince = OpenStream.NOT_WRITING;
        }
    }

    /** Disconnects clients that have not read for too long. */
    void check(long nanos) {
        for (OpenStream stream : open) {
            long since = stream.writingSince;
            if (since != OpenStream.NOT_WRITING && nanos - since > WRITE_TIMEOUT.toNanos()) {
                stream.endPoint.close();
            }
        }
    }
}
