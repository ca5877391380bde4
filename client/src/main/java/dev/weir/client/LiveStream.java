package dev.weir.client;

import dev.weir.api.LiveEvent;
import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Follows changes of runs, steps and keys. If the connection breaks, it connects again and continues after the last
 * event; if events may be missing, the next one is a {@link LiveEvent.Reset}. Read the state after {@link
 * LiveEvent.Opened} and {@link LiveEvent.Reset}, and apply the events that follow. One thread may read; any thread may
 * close it.
 */
public final class LiveStream implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);
    /** The time without any line after which the connection is given up. The server sends a line every 15 s. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(45);
    /** The events that wait for the program. A slow program slows the server down, which then disconnects. */
    private static final int EVENTS_MAX = 1_000;

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);
    private static final long BACKOFF_MIN_MILLIS = 100;
    private static final long BACKOFF_MAX_MILLIS = 5_000;
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    /** All streams with the usual certificates share one client, because each has a thread of its own. */
    private static final class SharedHttp {
        private static final HttpClient CLIENT = build(HttpClient.newBuilder());
    }

    private static HttpClient build(HttpClient.Builder builder) {
        return builder.version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
    }

    private final Connection connection;
    private final HttpClient http;
    private final URI uri;
    private final BlockingQueue<LiveEvent> events = new ArrayBlockingQueue<>(EVENTS_MAX);
    private final EventParser parser = new EventParser();
    private final Thread reader = new Thread(this::readAll, "weir stream");
    private volatile InputStream body = InputStream.nullInputStream();
    private volatile long lastLineAt = System.nanoTime();
    private volatile @Nullable RequestFailed failure;
    private volatile boolean closed;

    private LiveStream(Connection connection, StreamFilter filter) {
        this.connection = connection;
        this.http = connection.certificate() == null
                ? SharedHttp.CLIENT
                : build(TrustedCertificates.apply(HttpClient.newBuilder(), connection));
        String base = connection.url().toString();
        this.uri = URI.create(
                (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/v1/stream" + query(filter));
        reader.setDaemon(true);
    }

    private static String query(StreamFilter filter) {
        var parameters = new StringJoiner("&", "?", "").setEmptyValue("");
        if (!filter.topics().isEmpty()) {
            parameters.add("topic=" + encode(String.join(",", filter.topics())));
        }
        if (filter.run() != null) {
            parameters.add("run=" + encode(filter.run()));
        }
        if (filter.key() != null) {
            parameters.add("key=" + encode(filter.key()));
        }
        return parameters.toString();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Connects, and returns when the server has accepted the stream. */
    static LiveStream open(Connection connection, StreamFilter filter) throws InterruptedException {
        var stream = new LiveStream(connection, filter);
        stream.connect();
        stream.reader.start();
        return stream;
    }

    /**
     * Waits for the next event.
     *
     * @throws RequestFailed if the server refuses the stream, or cannot be reached for the connection's retry timeout
     */
    public LiveEvent next() throws InterruptedException {
        while (true) {
            Optional<LiveEvent> event = next(CHECK_INTERVAL);
            if (event.isPresent()) {
                return event.get();
            }
        }
    }

    /**
     * Waits for the next event, at most that long.
     *
     * @throws RequestFailed if the server refuses the stream, or cannot be reached for the connection's retry timeout
     */
    public Optional<LiveEvent> next(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long remaining = Math.max(0, deadline - System.nanoTime());
            LiveEvent event = events.poll(Math.min(remaining, CHECK_INTERVAL.toNanos()), TimeUnit.NANOSECONDS);
            if (event != null) {
                return Optional.of(event);
            }
            if (closed) {
                throw new IllegalStateException("expected an open stream, found a closed one");
            }
            RequestFailed failed = failure;
            if (failed != null && events.isEmpty()) {
                throw failed;
            }
            if (System.nanoTime() - lastLineAt > SILENCE_MAX.toNanos()) {
                closeBody();
            }
            if (deadline - System.nanoTime() <= 0) {
                return Optional.empty();
            }
        }
    }

    private void readAll() {
        try {
            while (!closed) {
                readBody();
                if (!closed) {
                    Thread.sleep(BACKOFF_MIN_MILLIS);
                    connect();
                }
            }
        } catch (RequestFailed e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeBody();
        }
    }

    private void readBody() throws InterruptedException {
        parser.reset();
        try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                lastLineAt = System.nanoTime();
                Optional<LiveEvent> event = parser.read(line);
                if (event.isPresent()) {
                    events.put(event.get());
                    lastLineAt = System.nanoTime();
                }
            }
        } catch (IOException e) {
            // The connection broke; the next one continues after the last event.
            parser.reset();
        } catch (IllegalArgumentException e) {
            throw new RequestFailed.Refused(Problem.Kind.INTERNAL.of(e.getMessage() + "; check the URL of the server"));
        }
    }

    /** Connects, and retries while the server cannot be reached. */
    private void connect() throws InterruptedException {
        long giveUpAt = System.nanoTime() + connection.retryTimeout().toNanos();
        long backoffMillis = BACKOFF_MIN_MILLIS;
        while (true) {
            RequestFailed.Unreachable failed;
            try {
                HttpResponse<InputStream> response = send();
                lastLineAt = System.nanoTime();
                if (response.statusCode() == OK) {
                    body = response.body();
                    return;
                }
                Problem problem = problem(response);
                if (response.statusCode() != TOO_MANY_REQUESTS && response.statusCode() != UNAVAILABLE) {
                    throw new RequestFailed.Refused(problem);
                }
                failed = new RequestFailed.Unreachable(problem.detail(), null);
            } catch (IOException e) {
                failed = new RequestFailed.Unreachable(
                        "no server answers at " + connection.url() + ": "
                                + (e.getMessage() == null ? "connection refused" : e.getMessage()),
                        e);
            }
            if (closed || System.nanoTime() - giveUpAt >= 0) {
                throw failed;
            }
            Thread.sleep(backoffMillis / 2 + ThreadLocalRandom.current().nextLong(backoffMillis / 2 + 1));
            backoffMillis = Math.min(BACKOFF_MAX_MILLIS, backoffMillis * 2);
        }
    }

    /** Waits for the response only; a timeout of the request would end the stream in newer versions of Java. */
    private HttpResponse<InputStream> send() throws IOException, InterruptedException {
        var answer = http.sendAsync(request(), BodyHandlers.ofInputStream());
        try {
            return answer.get(RESPONSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no response within " + RESPONSE_TIMEOUT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    private HttpRequest request() {
        var builder = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + connection.token())
                .header("Accept", "text/event-stream, application/problem+json");
        String lastId = parser.lastId();
        return (lastId == null ? builder : builder.header("Last-Event-ID", lastId)).build();
    }

    private static Problem problem(HttpResponse<InputStream> response) throws IOException {
        try (InputStream in = response.body()) {
            byte[] text = in.readNBytes(WireJson.BODY_BYTES_MAX);
            return WireJson.LENIENT.readValue(text, Problem.class);
        } catch (JacksonException e) {
            String detail = "the server responded with status " + response.statusCode();
            return new Problem("about:blank", "Not a response of Weir", response.statusCode(), detail, null);
        }
    }

    private void closeBody() {
        try {
            body.close();
        } catch (IOException ignored) {
            // The connection is given up in any case.
        }
    }

    @Override
    public void close() {
        closed = true;
        closeBody();
        reader.interrupt();
    }
}
