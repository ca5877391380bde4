package dev.weir.engine.call;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
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
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Makes HTTP calls. The address of a host is looked up once, checked, and that address is connected to; redirects are
 * answers like any other. Nothing that it says of a failure holds more of the request than its host.
 */
public final class Caller implements AutoCloseable {
    private static final Set<String> OWN_HEADERS =
            Set.of("host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect");
    private static final int HEADER_CHARS_MAX = 8 * 1024;
    private static final int HEADERS_MAX = 200;
    /** How long a call is put off for which no address can be looked up now. */
    private static final Duration CROWDED = Duration.ofSeconds(2);

    private final Answers answers;
    private final CheckedAddresses addresses;
    private final CloseableHttpClient client;
    /** Ends calls that take too long as a whole, however many bytes come meanwhile. */
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weir-calls").factory());

    public Caller(CallSettings settings, Clock clock) {
        this(settings, clock, InetAddress::getAllByName);
    }

    Caller(CallSettings settings, Clock clock, CheckedAddresses.Names names) {
        this.answers = new Answers(settings.bodyBytesMax(), clock);
        this.addresses = new CheckedAddresses(settings.reach(), settings.connectMax(), names);
        Timeout connectMax = Timeout.of(settings.connectMax());
        var pool = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(addresses)
                .setConnectionFactory(connections())
                .setMaxConnTotal(settings.places())
                .setMaxConnPerRoute(settings.places())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connectMax)
                        .setSocketTimeout(connectMax)
                        .setTimeToLive(1, TimeUnit.MINUTES)
                        .build())
                .setDefaultSocketConfig(
                        SocketConfig.custom().setSoTimeout(connectMax).build())
                .build();
        client = HttpClients.custom()
                .setConnectionManager(pool)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .setUserAgent("weir")
                .build();
    }

    /** Reads the head of an answer only so far: it is no place for data. */
    private static ManagedHttpClientConnectionFactory connections() {
        return ManagedHttpClientConnectionFactory.builder()
                .http1Config(Http1Config.custom()
                        .setMaxLineLength(HEADER_CHARS_MAX)
                        .setMaxHeaderCount(HEADERS_MAX)
                        .build())
                .build();
    }

    /**
     * Makes a call.
     *
     * @param org whose call it is
     * @param request method, url, headers and body, with secrets in them
     * @param key what tells the called one a repeated call from a new one
     * @param most how long it may take as a whole: as long as its step may
     */
    public CallResult call(String org, JsonNode request, String key, Duration most) {
        try {
            Target target = Target.of(request.path("url").asString(""));
            HttpUriRequestBase http =
                    new HttpUriRequestBase(request.path("method").asString("GET"), target.uri());
            addHeaders(http, request.path("headers"), key);
            addBody(http, request);
            http.setConfig(within(most));
            ScheduledFuture<?> tooLong = timer.schedule(http::cancel, most.toMillis(), TimeUnit.MILLISECONDS);
            try {
                return addresses.calling(org, () -> client.execute(http, answers::read));
            } finally {
                tooLong.cancel(false);
            }
        } catch (CallRefused e) {
            return new CallResult.Failed(String.valueOf(e.getMessage()), true, null);
        } catch (CheckedAddresses.Crowded e) {
            return new CallResult.PutOff(CROWDED);
        } catch (IOException e) {
            return new CallResult.Failed("the call got no answer: " + reason(e), false, null);
        }
    }

    /** What may take how long, once there is a connection. */
    static RequestConfig within(Duration most) {
        return RequestConfig.custom()
                .setResponseTimeout(Timeout.of(most))
                .setConnectionRequestTimeout(Timeout.of(most))
                .setRedirectsEnabled(false)
                .build();
    }

    private static void addHeaders(HttpUriRequestBase http, JsonNode headers, String key) {
        http.setHeader("Idempotency-Key", key);
        for (Map.Entry<String, JsonNode> header : headers.properties()) {
            String name = header.getKey();
            String value = header.getValue().asString("");
            if (OWN_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                throw new CallRefused("expected no header " + name + ": Weir sets it itself");
            }
            if (!isToken(name) || value.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c == 0x7f)) {
                throw new CallRefused("expected a header of one line of text, found another one: " + name);
            }
            http.setHeader(name, value);
        }
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
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

    /** What went wrong, without what the exception may quote of the request. */
    private static String reason(IOException e) {
        return switch (e) {
            case CheckedAddresses.Unanswered ignored -> "its address could not be looked up in time";
            case UnknownHostException ignored -> "its host has no address";
            case java.net.SocketTimeoutException ignored -> "it took too long";
            case org.apache.hc.client5.http.impl.classic.RequestFailedException ignored -> "it took too long";
            case java.net.ConnectException ignored -> "nothing listens there";
            case javax.net.ssl.SSLException ignored -> "no trusted connection could be made";
            default -> "the connection broke off (" + e.getClass().getSimpleName() + ")";
        };
    }

    @Override
    public void close() {
        timer.shutdownNow();
        addresses.close();
        try {
            client.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("the connections of calls could not be closed", e);
        }
    }
}
