package dev.weir.engine.call;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes HTTP calls. The address of a host is looked up once, checked, and that address is connected to; redirects are
 * answers like any other. Nothing that it says of a failure holds more of the request than its host.
 */
public final class Caller implements AutoCloseable {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;
    private static final Set<String> OWN_HEADERS =
            Set.of("host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect");
    private static final int JSON_DEPTH_MAX = 64;
    /** Keeps numbers as they were sent. */
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(JSON_DEPTH_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final CallSettings settings;
    private final Clock clock;
    private final CloseableHttpClient client;
    /** Ends calls that take too long as a whole, however many bytes come meanwhile. */
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weir-calls").factory());

    public Caller(CallSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        Timeout connectMax = Timeout.of(settings.connectMax());
        Timeout answerMax = Timeout.of(settings.answerMax());
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new CheckedAddresses(settings.reach()))
                .setMaxConnTotal(settings.places())
                .setMaxConnPerRoute(settings.places())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connectMax)
                        .setSocketTimeout(answerMax)
                        .setTimeToLive(1, TimeUnit.MINUTES)
                        .build())
                .setDefaultSocketConfig(
                        SocketConfig.custom().setSoTimeout(answerMax).build())
                .build();
        client = HttpClients.custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(answerMax)
                        .setConnectionRequestTimeout(answerMax)
                        .setRedirectsEnabled(false)
                        .build())
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .setUserAgent("weir")
                .build();
    }

    /** Looks an address up and lets only those through that may be called. */
    private record CheckedAddresses(Reach reach) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            throw new UnknownHostException("expected a look-up that knows the port");
        }

        @Override
        public java.util.List<java.net.InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
            String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            InetAddress[] found = InetAddress.getAllByName(bare);
            for (InetAddress address : found) {
                // One bad address spoils all: a name that has both is made to be looked up until the bad one comes.
                byte[] bytes = Host.isIpv6(bare) ? Network.bytes(bare) : address.getAddress();
                reach.refusal(bare, port, bytes).ifPresent(reason -> {
                    throw new CallRefused(
                            "the address of " + bare + " may not be called: " + reason + "; an operator can allow it");
                });
            }
            return java.util.Arrays.stream(found)
                    .map(address -> new java.net.InetSocketAddress(address, port))
                    .toList();
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /**
     * Makes a call.
     *
     * @param request method, url, headers and body, with secrets in them
     * @param key what tells the called one a repeated call from a new one
     */
    public CallResult call(JsonNode request, String key) {
        try {
            Target target = Target.of(request.path("url").asString(""));
            HttpUriRequestBase http =
                    new HttpUriRequestBase(request.path("method").asString("GET"), target.uri());
            addHeaders(http, request.path("headers"), key);
            addBody(http, request);
            ScheduledFuture<?> tooLong =
                    timer.schedule(http::cancel, settings.answerMax().toMillis(), TimeUnit.MILLISECONDS);
            try {
                return client.execute(http, this::read);
            } finally {
                tooLong.cancel(false);
            }
        } catch (CallRefused e) {
            return new CallResult.Failed(String.valueOf(e.getMessage()), true, null);
        } catch (IOException e) {
            return new CallResult.Failed("the call got no answer: " + reason(e), false, null);
        }
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

    private CallResult read(ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        byte[] body = body(response);
        if (status == TOO_MANY_REQUESTS || status >= SERVER_ERRORS) {
            Header after = response.getFirstHeader("Retry-After");
            return new CallResult.Failed(
                    "answered with status " + status,
                    false,
                    after == null ? null : RetryAfter.read(after.getValue(), clock.instant()));
        }
        ObjectNode output = JsonNodeFactory.instance.objectNode().put("status", status);
        output.set("headers", headers(response));
        output.set("body", content(response, body));
        return new CallResult.Answered(output);
    }

    private byte[] body(ClassicHttpResponse response) throws IOException {
        if (response.getEntity() == null) {
            return new byte[0];
        }
        try (InputStream in = response.getEntity().getContent()) {
            byte[] bytes = in.readNBytes(settings.bodyBytesMax() + 1);
            if (bytes.length > settings.bodyBytesMax()) {
                throw new CallRefused("expected an answer of at most " + settings.bodyBytesMax()
                        + " bytes, found a longer one; let the called one store it and answer with where it is");
            }
            return bytes;
        }
    }

    private static ObjectNode headers(ClassicHttpResponse response) {
        Map<String, String> headers = new TreeMap<>();
        for (Iterator<Header> all = response.headerIterator(); all.hasNext(); ) {
            Header header = all.next();
            headers.merge(
                    header.getName().toLowerCase(java.util.Locale.ROOT),
                    String.valueOf(header.getValue()),
                    (one, other) -> one + ", " + other);
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        headers.forEach(object::put);
        return object;
    }

    /** JSON where the answer says that it is JSON and is; else text. */
    private static JsonNode content(ClassicHttpResponse response, byte[] body) {
        ContentType type = ContentType.parseLenient(
                response.getEntity() == null ? null : response.getEntity().getContentType());
        String mime = type == null ? "" : String.valueOf(type.getMimeType());
        if (body.length > 0 && (mime.equals("application/json") || mime.endsWith("+json"))) {
            try {
                return JSON.readTree(body);
            } catch (JacksonException e) {
                // It says that it is JSON and is not: kept as the text that it is.
                return text(body);
            }
        }
        return text(body);
    }

    private static JsonNode text(byte[] body) {
        return JsonNodeFactory.instance.stringNode(new String(body, StandardCharsets.UTF_8));
    }

    /** What went wrong, without what the exception may quote of the request. */
    private static String reason(IOException e) {
        return switch (e) {
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
        try {
            client.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("the connections of calls could not be closed", e);
        }
    }
}
