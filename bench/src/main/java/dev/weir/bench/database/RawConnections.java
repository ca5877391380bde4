package dev.weir.bench.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Sends HTTP requests over kept connections with as little work as possible, so that a benchmark measures the server and
 * not a client library.
 */
final class RawConnections {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final String LENGTH = "content-length:";

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int filled;

    private RawConnections(InputStream in) {
        this.in = in;
    }

    /** Sends this many requests over so many connections, one after the other on each. */
    static void run(String url, int connections, int requests, Supplier<byte[]> request) throws Exception {
        URI address = URI.create(url);
        var left = new AtomicInteger(requests);
        try (var threads = Executors.newFixedThreadPool(connections)) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                done.add(threads.submit(() -> {
                    send(address, left, request);
                    return true;
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        }
    }

    private static void send(URI address, AtomicInteger left, Supplier<byte[]> request) throws IOException {
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setTcpNoDelay(true);
            var out = socket.getOutputStream();
            var responses = new RawConnections(socket.getInputStream());
            while (left.getAndDecrement() > 0) {
                out.write(request.get());
                responses.readResponse();
            }
        }
    }

    /** Reads one response, and checks that it is a success. */
    private void readResponse() throws IOException {
        int bodyAt = readHead();
        String head = new String(buffer, 0, bodyAt, StandardCharsets.US_ASCII);
        if (!head.startsWith("HTTP/1.1 20")) {
            throw new IOException("expected a success, found " + head);
        }
        int total = bodyAt + contentLength(head);
        while (filled < total) {
            fill();
        }
        System.arraycopy(buffer, total, buffer, 0, filled - total);
        filled -= total;
    }

    /** Reads up to the empty line after the headers. Returns the position of the body. */
    private int readHead() throws IOException {
        int at = 0;
        while (true) {
            for (; at + 3 < filled; at++) {
                if (buffer[at] == '\r' && buffer[at + 1] == '\n' && buffer[at + 2] == '\r' && buffer[at + 3] == '\n') {
                    return at + 4;
                }
            }
            fill();
        }
    }

    private void fill() throws IOException {
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
            throw new IOException("expected a response, found the end of the connection");
        }
        filled += read;
    }

    private static int contentLength(String head) {
        int from = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        if (from < 0) {
            throw new IllegalStateException("expected a Content-Length, found " + head);
        }
        int end = head.indexOf('\r', from);
        return Integer.parseInt(head.substring(from + LENGTH.length(), end).strip());
    }
}
