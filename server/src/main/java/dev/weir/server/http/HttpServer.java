package dev.weir.server.http;

import dev.weir.api.Json;
import dev.weir.api.Problem;
import dev.weir.core.limit.Moment;
import dev.weir.engine.shard.Loop;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.jspecify.annotations.Nullable;

/** Takes requests in, on virtual threads. Whatever fails is answered with a problem. */
public final class HttpServer implements AutoCloseable {
    private static final String BEARER = "bearer ";
    private static final Duration CLOSING_RETRY = Duration.ofSeconds(1);
    /** How often it is looked at connections that take long. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Access access;
    private final MeterRegistry meters;
    private final List<Route> routes = new ArrayList<>();
    private final Javalin javalin;
    private final Loop watch;
    private volatile boolean draining;

    /** A path and method that is answered. */
    public record Route(String method, String path) {}

    /** Where to listen; port 0 takes one that is free. */
    public record Address(String host, int port) {}

    private HttpServer(Access access, MeterRegistry meters, Consumer<Routing> topics, Bounds bounds) {
        this.access = access;
        this.meters = meters;
        this.javalin = Javalin.create(config -> configure(config, topics, bounds));
        var headers = new HeaderWatch(bounds.headers());
        this.watch = new Loop("weir http", () -> look(headers));
    }

    /**
     * Begins to listen.
     *
     * @throws io.javalin.util.JavalinBindException if the port is taken
     */
    public static HttpServer start(
            Address address, Bounds bounds, Access access, MeterRegistry meters, Consumer<Routing> topics) {
        var server = new HttpServer(access, meters, topics, bounds);
        try {
            server.javalin.start(address.host(), address.port());
        } catch (RuntimeException e) {
            server.javalin.stop();
            throw e;
        }
        server.watch.start();
        return server;
    }

    private void configure(JavalinConfig config, Consumer<Routing> topics, Bounds bounds) {
        config.concurrency.useVirtualThreads = true;
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = Json.BODY_BYTES_MAX + 1L;
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JettyProblems());
            server.addBean(new NetworkConnectionLimit(bounds.connections(), server));
        });
        config.routes.exception(MethodNotAllowedResponse.class, HttpServer::refuseMethod);
        config.routes.exception(HttpResponseException.class, (e, context) -> refuse(context, Problems.of(e)));
        config.routes.exception(Exception.class, (e, context) -> refuse(context, Problems.of(e)));
        topics.accept(new Registering(config));
    }

    /** Every path and method that is answered. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    public int port() {
        return javalin.port();
    }

    /** Answers nothing but that this node closes, save to those who look after it. */
    public void drain() {
        draining = true;
    }

    @Override
    public void close() {
        watch.close();
        javalin.stop();
    }

    /** One look at connections that take long; says after how many microseconds the next is wanted. */
    private long look(HeaderWatch headers) {
        for (Connector connector : javalin.jettyServer().server().getConnectors()) {
            headers.look(connector.getConnectedEndPoints(), System.nanoTime());
        }
        return Moment.micros(LOOK);
    }

    /** Gives paths to Javalin. */
    private final class Registering implements Routing {
        private final JavalinConfig config;

        Registering(JavalinConfig config) {
            this.config = config;
        }

        @Override
        public void on(Method method, String path, Endpoint endpoint) {
            add(method, path, context -> {
                if (draining) {
                    throw Refused.unavailable("this node is closing", CLOSING_RETRY);
                }
                write(context, endpoint.answer(new Request(context, organisation(context))));
            });
        }

        @Override
        public void open(Method method, String path, Endpoint endpoint) {
            add(method, path, context -> write(context, endpoint.answer(new Request(context, ""))));
        }

        private void add(Method method, String path, Handler handler) {
            routes.add(new Route(method.name(), path));
            Handler timed = context -> timed(method, path, context, handler);
            switch (method) {
                case GET -> {
                    config.routes.get(path, timed);
                    // Javalin alone would say that all is well, to anybody and of whatever is not there.
                    config.routes.head(path, timed);
                }
                case POST -> config.routes.post(path, timed);
                case PUT -> config.routes.put(path, timed);
            }
        }
    }

    private void timed(Routing.Method method, String path, Context context, Handler handler) {
        Timer.Sample sample = Timer.start(meters);
        try {
            handler.handle(context);
        } catch (Exception | StackOverflowError e) {
            refuse(context, Problems.of(e));
        }
        sample.stop(Timer.builder("weir.http.requests")
                .description("Requests, by path and by how they were answered")
                .tag("method", method.name())
                .tag("path", path)
                .tag("status", String.valueOf(context.statusCode()))
                .register(meters));
    }

    private String organisation(Context context) {
        String header = context.header("Authorization");
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            throw Refused.of(
                    Problem.Kind.UNAUTHENTICATED,
                    "expected the header Authorization: Bearer TOKEN, found " + (header == null ? "none" : "another"));
        }
        return access.organisation(header.substring(BEARER.length()).strip())
                .orElseThrow(() -> Refused.of(
                        Problem.Kind.UNAUTHENTICATED,
                        "expected an API token of this server, found one it does not know"));
    }

    private static void write(Context context, Answer answer) {
        context.status(answer.status());
        answer.headers().forEach(context::header);
        if (answer.body() instanceof Answer.Text text) {
            context.contentType(text.mediaType()).result(text.content());
        } else {
            context.contentType("application/json").result(Json.STRICT.writeValueAsBytes(answer.body()));
        }
    }

    private static void refuseMethod(MethodNotAllowedResponse wrong, Context context) {
        String known = wrong.getDetails().getOrDefault("availableMethods", "");
        context.header("Allow", known);
        refuse(
                context,
                Refused.of(
                        Problem.Kind.METHOD_NOT_ALLOWED,
                        "expected " + known + " of this path, found "
                                + context.method().name()));
    }

    private static void refuse(Context context, Refused refused) {
        Problem problem = refused.problem();
        context.status(problem.status());
        retryAfter(refused).ifPresent(seconds -> context.header("Retry-After", seconds));
        if (problem.status() == Problem.Kind.UNAUTHENTICATED.status()) {
            context.header("WWW-Authenticate", "Bearer realm=\"weir\"");
        }
        context.contentType(Problem.MEDIA_TYPE).result(Json.STRICT.writeValueAsBytes(problem));
    }

    private static java.util.Optional<String> retryAfter(Refused refused) {
        @Nullable Duration wait = refused.retryAfter();
        return java.util.Optional.ofNullable(wait).map(time -> String.valueOf(Math.max(1, time.toSeconds())));
    }
}
