package dev.weir.server.http;

import dev.weir.api.WireJson;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Reads and drops the body of a refused request, so that its client can finish sending and then read the response. A
 * body that is too long or too slow for that is left on the connection, which closes.
 */
final class DiscardedBody implements Runnable {
    /** The longest body that is read only to be dropped. */
    static final long DISCARDED_BYTES_MAX = 8L * WireJson.BODY_BYTES_MAX;

    /** The time within which the rest of the body must arrive. */
    static final long DISCARD_SECONDS_MAX = 5;

    private final Request request;
    private final Callback done;
    private final Scheduler.Task timeout;
    private long discarded;

    private DiscardedBody(Request request, Callback done) {
        this.request = request;
        this.done = done;
        this.timeout = request.getComponents()
                .getScheduler()
                .schedule(
                        () -> request.fail(new TimeoutException("a refused body arrives too slowly")),
                        DISCARD_SECONDS_MAX,
                        TimeUnit.SECONDS);
    }

    static void discard(Request request, Callback done) {
        if (request.getLength() > DISCARDED_BYTES_MAX) {
            done.succeeded();
        } else {
            new DiscardedBody(request, done).run();
        }
    }

    /** Drops what has arrived, and comes back when more arrives. */
    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (isEnd(chunk)) {
                timeout.cancel();
                done.succeeded();
                return;
            }
        }
    }

    private boolean isEnd(Content.Chunk chunk) {
        if (Content.Chunk.isFailure(chunk)) {
            return true;
        }
        discarded += chunk.remaining();
        boolean last = chunk.isLast();
        chunk.release();
        return last || discarded > DISCARDED_BYTES_MAX;
    }
}
