package dev.weir.server.http;

import java.util.Optional;

/** The source of a stream of server-sent events. One thread reads it until it ends or the client has gone. */
public interface EventSource extends AutoCloseable {
    /** Waits for events, or for the time of a heartbeat. Returns the text to send; empty = the stream ends. */
    Optional<String> next() throws InterruptedException;

    @Override
    void close();
}
