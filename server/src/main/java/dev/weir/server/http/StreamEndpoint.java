package dev.weir.server.http;

/** Handles requests for a stream of server-sent events. */
@FunctionalInterface
public interface StreamEndpoint {
    /** Opens a stream. It refuses a request here, because the status cannot change once the stream has begun. */
    EventSource open(Request request) throws Exception;
}
