package dev.weir.engine.call;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Makes HTTP calls. The address of a host is looked up once and checked, and the connection goes to that address.
 * Redirects are responses like any other. A failure message contains nothing of the request except its host.
 */
final class HttpCaller implements AutoCloseable {
    /** The memory of a call besides its request: the head of its response, and the buffers of its connection. */
    static final int CONNECTION_BYTES = 4 * BoundedHeaderParser.CHARS_MAX;

    /** The delay of a call for which no address can be looked up now. */
    private static final Duration LOOKUP_RETRY_DELAY = Duration.ofSeconds(2);

    private final ResponseReader responseReader;
    private final CheckedResolver resolver;
    private final CloseableHttpClient client;
    /** Cancels calls that take too long as a whole, even if bytes keep arriving. */
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weir-calls").factory());

    HttpCaller(CallSettings settings, Clock clock) {
        this(settings, clock, InetAddress::getAllByName);
    }

    HttpCaller(CallSettings settings, Clock clock, CheckedResolver.HostLookup hostLookup) {
        this.responseReader = new ResponseReader(settings.bodyBytesMax(), clock);
        this.resolver = new CheckedResolver(settings.egressPolicy(), settings.connectTimeout(), hostLookup);
        Timeout connectTimeout = Timeout.of(settings.connectTimeout());
        var pool = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(resolver)
                .setConnectionFactory(connectionFactory())
                .setMaxConnTotal(settings.maxConcurrentCalls())
                .setMaxConnPerRoute(settings.maxConcurrentCalls())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connectTimeout)
                        .setSocketTimeout(connectTimeout)
                        .setTimeToLive(1, TimeUnit.MINUTES)
                        .build())
                .setDefaultSocketConfig(
                        SocketConfig.custom().setSoTimeout(connectTimeout).build())
                .build();
        client = HttpClients.custom()
                .setConnectionManager(pool)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .setUserAgent("weir")
                .build();
    }

    private static ManagedHttpClientConnectionFactory connectionFactory() {
        return ManagedHttpClientConnectionFactory.builder()
                .http1Config(BoundedHeaderParser.LINE_LIMITS)
                .responseParserFactory(BoundedHeaderParser::new)
                .build();
    }

    /**
     * Makes a call.
     *
     * @param memory memory account of the call, which also names its organisation
     * @param request method, url, headers and body, with secrets in them
     * @param key idempotency key, with which the called server recognises a repeated call
     * @param timeout longest duration of the whole call, equal to the timeout of its step
     */
    CallResult call(CallMemory.MemoryAccount memory, JsonNode request, String key, Duration timeout) {
        try {
            CallTarget target = CallTarget.of(request.path("url").asString(""));
            HttpUriRequestBase http =
                    new HttpUriRequestBase(request.path("method").asString("GET"), target.uri());
            addHeaders(http, request.path("headers"), key);
            addBody(http, request);
            http.setConfig(requestConfig(timeout));
            ScheduledFuture<?> cancellation = timer.schedule(http::cancel, timeout.toMillis(), TimeUnit.MILLISECONDS);
            try {
                return resolver.callFor(memory.org(), () -> send(target, http, memory));
            } finally {
                cancellation.cancel(false);
            }
        } catch (CallRefused e) {
            return new CallResult.Failed(String.valueOf(e.getMessage()), true, true, null);
        } catch (CheckedResolver.TooManyLookups e) {
            return new CallResult.Deferred(LOOKUP_RETRY_DELAY);
        } catch (ResponseReader.Undecodable e) {
            return new CallResult.Failed(String.valueOf(e.getMessage()), false, true, null);
        } catch (IOException e) {
            return new CallResult.Failed("no response: " + reason(e), false, false, null);
        }
    }

    /** Sends the request. A request that was cancelled before it got a connection fails like any other timeout. */
    private ClassicHttpResponse open(CallTarget target, HttpUriRequestBase http) throws IOException {
        try {
            return client.executeOpen(target.server(), http, null);
        } catch (IllegalStateException e) {
            if (http.isCancelled()) {
                throw new SocketTimeoutException("the call took longer than its step may");
            }
            throw e;
        }
    }

    private CallResult send(CallTarget target, HttpUriRequestBase http, CallMemory.MemoryAccount memory)
            throws IOException {
        ClassicHttpResponse response = open(target, http);
        try {
            return responseReader.read(response, memory);
        } finally {
            // Closes the connection unless the body was read to its end. A close alone would read the rest first.
            http.cancel();
            close(response);
        }
    }

    private static void close(ClassicHttpResponse response) {
        try {
            response.close();
        } catch (IOException e) {
            // The connection is closed already.
            return;
        }
    }

    /** The timeouts of a request once there is a connection. */
    static RequestConfig requestConfig(Duration timeout) {
        return RequestConfig.custom()
                .setResponseTimeout(Timeout.of(timeout))
                .setConnectionRequestTimeout(Timeout.of(timeout))
                .setRedirectsEnabled(false)
                .build();
    }

    private static void addHeaders(HttpUriRequestBase http, JsonNode headers, String key) {
        http.setHeader("Idempotency-Key", key);
        http.setHeader("Accept-Encoding", ContentCoding.ACCEPTED);
        for (Map.Entry<String, JsonNode> header : headers.properties()) {
            String name = header.getKey();
            String value = header.getValue().asString("");
            CallChecks.findHeaderProblem(name, value).ifPresent(problem -> {
                throw new CallRefused(problem);
            });
            http.setHeader(name, value);
        }
    }

    private static void addBody(HttpUriRequestBase http, JsonNode request) {
        if (!request.has("body")) {
            return;
        }
        JsonNode body = request.path("body");
        boolean text = body.isString();
        String content = text ? body.asString("") : body.toString();
        http.setEntity(new StringEntity(
                content,
                text ? ContentType.TEXT_PLAIN.withCharset(StandardCharsets.UTF_8) : ContentType.APPLICATION_JSON));
    }

    /** The reason of a failure, without anything that the exception may quote of the request. */
    private static String reason(IOException e) {
        return switch (e) {
            case CheckedResolver.LookupTimeout ignored -> "the lookup of the host timed out";
            case UnknownHostException ignored -> "the host is unknown";
            case SocketTimeoutException ignored -> "the call timed out";
            case org.apache.hc.client5.http.impl.classic.RequestFailedException ignored -> "the call timed out";
            case java.net.ConnectException ignored -> "cannot connect";
            case javax.net.ssl.SSLException ignored -> "the TLS handshake failed or the certificate is not trusted";
            default -> "the connection failed (" + e.getClass().getSimpleName() + ")";
        };
    }

    @Override
    public void close() {
        timer.shutdownNow();
        resolver.close();
        try {
            client.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot close the connections of calls", e);
        }
    }
}
