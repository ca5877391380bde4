package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Permission;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.shard.Loop;
import dev.weir.server.http.RequestAuthentication.Authenticated;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.jspecify.annotations.Nullable;

/** Serves HTTP requests on virtual threads. Every failure is answered with a problem. */
public final class HttpServer implements AutoCloseable {
    private static final Duration DRAIN_RETRY_AFTER = Duration.ofSeconds(1);
    /** The time between two checks for slow connections. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    private final SessionCookie cookie;
    private final RequestAuthentication authentication;
    private final MeterRegistry meters;
    private final RefusalCounter refusals;
    private final List<Route> routes = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final Javalin javalin;
    private final EventStreams streams;
    private final Loop connectionChecks;
    private final OrganisationRequests organisationRequests;
    private volatile boolean draining;

    /**
     * A method and path that the server serves.
     *
     * @param permission the permission that a token needs; absent if the path needs no token
     */
    public record Route(
            String method, String path, @Nullable Permission permission) {}

    /**
     * The address to listen on.
     *
     * @param port the port; 0 = any free port
     * @param names the host names that clients may use besides the address, see {@link HostCheck}
     * @param tls the certificate of the server; absent = plain HTTP
     * @param baseUrl the address that browsers use, if it is another one, such as that of a proxy
     */
    public record Address(
            String host,
            int port,
            List<String> names,
            @Nullable TlsFiles tls,
            @Nullable URI baseUrl) {
        private static final int PORT_MAX = 65_535;
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+|\\[[0-9A-Fa-f:.]+]");
        private static final Set<String> SCHEMES = Set.of("http", "https");

        /** Creates the address of a server that speaks plain HTTP and that clients call by its own address. */
        public Address(String host, int port, List<String> names) {
            this(host, port, names, null, null);
        }

        public Address {
            names = List.copyOf(names);
            if (baseUrl != null) {
                checkBaseUrl(baseUrl);
            }
            if (port < 0 || port > PORT_MAX) {
                throw new IllegalArgumentException("expected a port from 0 to " + PORT_MAX + ", found " + port);
            }
            for (String name : names) {
                if (!NAME.matcher(name).matches()) {
                    throw new IllegalArgumentException(
                            "names: expected a host name or address without a port, found '" + name + "'");
                }
            }
        }

        private static void checkBaseUrl(URI url) {
            boolean isPlain = url.getUserInfo() == null && url.getQuery() == null && url.getFragment() == null;
            boolean atRoot = url.getPath() == null || url.getPath().isEmpty() || "/".equals(url.getPath());
            if (!SCHEMES.contains(String.valueOf(url.getScheme())) || url.getHost() == null || !isPlain || !atRoot) {
                throw new IllegalArgumentException(
                        "base URL: expected a URL such as https://weir.example, without a path, found '" + url + "'");
            }
        }
    }

    private HttpServer(
            Address address,
            HttpBounds bounds,
            Authenticator authenticator,
            MeterRegistry meters,
            Consumer<Routing> routeSetup) {
        this.cookie = new SessionCookie(address.tls() != null, address.baseUrl());
        this.authentication = new RequestAuthentication(authenticator, cookie);
        this.meters = meters;
        this.refusals = new RefusalCounter(meters, System.nanoTime());
        this.streams = new EventStreams(bounds);
        this.organisationRequests = new OrganisationRequests(Math.max(1, bounds.connections() / 2));
        Gauge.builder("weir.http.streams", streams, EventStreams::size)
                .description("Open streams of server-sent events")
                .register(meters);
        this.javalin = Javalin.create(config -> {
            configure(config, bounds, new HostCheck(address.host(), address.names(), address.baseUrl()));
            config.jetty.host = address.host();
            config.jetty.port = address.port();
            TlsFiles tls = address.tls();
            if (tls != null) {
                TlsConnector.add(config.jetty, address, tls);
            }
            routeSetup.accept(new RouteRegistrar(config));
        });
        var headers = new HeaderTimeout(bounds.headerTimeout());
        this.connectionChecks = new Loop("weir http", () -> checkConnections(headers));
    }

    /**
     * Starts to listen.
     *
     * @throws io.javalin.util.JavalinBindException if the port is taken
     */
    public static HttpServer start(
            Address address,
            HttpBounds bounds,
            Authenticator authenticator,
            MeterRegistry meters,
            Consumer<Routing> routeSetup) {
        var server = new HttpServer(address, bounds, authenticator, meters, routeSetup);
        try {
            server.javalin.start();
        } catch (RuntimeException e) {
            server.javalin.stop();
            throw e;
        }
        server.connectionChecks.start();
        return server;
    }

    private void configure(JavalinConfig config, HttpBounds bounds, HostCheck names) {
        config.concurrency.useVirtualThreads = true;
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = WireJson.BODY_BYTES_MAX + 1L;
        config.jetty.modifyServer(server -> {
            var problems = new JettyErrorHandler(refusals);
            server.setErrorHandler(problems);
            server.insertHandler(new RequestGuard(names, problems));
            server.addBean(new NetworkConnectionLimit(bounds.connections(), server));
        });
        config.routes.exception(MethodNotAllowedResponse.class, this::refuseMethod);
        config.routes.exception(HttpResponseException.class, (e, context) -> refuse(context, ProblemMapper.of(e)));
        config.routes.exception(Exception.class, (e, context) -> refuse(context, ProblemMapper.of(e)));
    }

    /** Returns every method and path that the server serves. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    public int port() {
        return javalin.port();
    }

    /**
     * Makes the server answer every request of an organisation with "this node is shutting down". Paths that need no
     * token, such as health and metrics, still work.
     */
    public void drain() {
        draining = true;
    }

    @Override
    public void close() {
        connectionChecks.close();
        javalin.stop();
    }

    /**
     * Closes connections that take too long, runs the checks of the routes, and reports floods of refused requests.
     * Returns the time until the next check, in microseconds.
     */
    private long checkConnections(HeaderTimeout headers) {
        for (Connector connector : javalin.jettyServer().server().getConnectors()) {
            headers.check(connector.getConnectedEndPoints(), System.nanoTime());
        }
        streams.check(System.nanoTime());
        checks.forEach(Runnable::run);
        refusals.report(System.nanoTime());
        return Moment.micros(CHECK_INTERVAL);
    }

    /** Registers paths with Javalin. */
    private final class RouteRegistrar implements Routing {
        private final JavalinConfig config;

        RouteRegistrar(JavalinConfig config) {
            this.config = config;
        }

        @Override
        public void route(Method method, String path, Permission permission, Endpoint endpoint) {
            routes.add(new Route(method.name(), path, permission));
            add(method, path, context -> {
                if (draining) {
                    throw RefusedRequest.unavailable("this node is shutting down", DRAIN_RETRY_AFTER);
                }
                Authenticated found = authentication.authenticate(context);
                Caller caller = found.caller();
                PermissionCheck.require(permission, caller);
                var request = new Request(context, cookie, found);
                if (method != Method.GET) {
                    context.header(RequestOrigin.REQUEST_ID, request.requestId());
                }
                write(context, organisationRequests.handle(path, caller.org(), endpoint, request));
            });
        }

        @Override
        public void routePublic(Method method, String path, Endpoint endpoint) {
            routes.add(new Route(method.name(), path, null));
            add(method, path, context -> write(context, endpoint.handle(new Request(context, cookie, null))));
        }

        @Override
        public void page(String path, Endpoint endpoint) {
            add(Method.GET, path, context -> write(context, endpoint.handle(new Request(context, cookie, null))));
        }

        @Override
        public void stream(String path, Permission permission, StreamEndpoint endpoint) {
            routes.add(new Route(Method.GET.name(), path, permission));
            add(Method.GET, path, context -> {
                if (draining) {
                    throw RefusedRequest.unavailable("this node is shutting down", DRAIN_RETRY_AFTER);
                }
                Authenticated found = authentication.authenticate(context);
                PermissionCheck.require(permission, found.caller());
                streams.serve(
                        context,
                        new Request(context, cookie, found),
                        endpoint,
                        () -> isAuthorised(context, permission, found.caller()));
            });
        }

        @Override
        public void repeat(Runnable check) {
            checks.add(check);
        }

        private void add(Method method, String path, Handler handler) {
            var timers = new RouteTimers(meters, method, path);
            Handler timed = context -> handleTimed(timers, context, handler);
            switch (method) {
                case GET -> {
                    config.routes.get(path, timed);
                    // Without this, Javalin would answer HEAD with 200 for anyone, even if the resource does not
                    // exist.
                    config.routes.head(path, timed);
                }
                case POST -> config.routes.post(path, timed);
                case PUT -> config.routes.put(path, timed);
                case PATCH -> config.routes.patch(path, timed);
                case DELETE -> config.routes.delete(path, timed);
            }
        }
    }

    private void handleTimed(RouteTimers timers, Context context, Handler handler) {
        long startedAt = System.nanoTime();
        try {
            handler.handle(context);
        } catch (Exception | StackOverflowError e) {
            refuse(context, ProblemMapper.of(e));
        }
        timers.record(context.statusCode(), System.nanoTime() - startedAt);
    }

    /** Checks again that a token may read the stream. While the store cannot answer, the token stays valid. */
    private boolean isAuthorised(Context context, Permission permission, Caller before) {
        try {
            Caller now = authentication.authenticate(context).caller();
            PermissionCheck.require(permission, now);
            return now.org().equals(before.org());
        } catch (RefusedRequest refused) {
            int status = refused.problem().status();
            return status != Problem.Kind.UNAUTHENTICATED.status() && status != Problem.Kind.FORBIDDEN.status();
        } catch (RuntimeException e) {
            return true;
        }
    }

    private static void write(Context context, Response response) throws IOException {
        context.status(response.status());
        response.headers().forEach(context::header);
        if (response.body() instanceof Response.Text text) {
            context.contentType(text.mediaType()).result(text.content());
            return;
        }
        context.contentType("application/json");
        byte[] body = WireJson.STRICT.writeValueAsBytes(response.body());
        if (context.header("Accept-Encoding") != null) {
            context.result(body); // Javalin compresses it
        } else {
            // Javalin would copy it through a new buffer of 32 KiB.
            context.res().setContentLength(body.length);
            context.res().getOutputStream().write(body);
        }
    }

    private void refuseMethod(MethodNotAllowedResponse exception, Context context) {
        String allowedMethods = exception.getDetails().getOrDefault("availableMethods", "");
        context.header("Allow", allowedMethods);
        refuse(
                context,
                RefusedRequest.of(
                        Problem.Kind.METHOD_NOT_ALLOWED,
                        "expected " + allowedMethods + " for this path, found "
                                + context.method().name()));
    }

    private void refuse(Context context, RefusedRequest refused) {
        Problem problem = refused.problem();
        refusals.count(problem.status());
        context.status(problem.status());
        retryAfter(refused).ifPresent(seconds -> context.header("Retry-After", seconds));
        if (problem.status() == Problem.Kind.UNAUTHENTICATED.status()) {
            context.header("WWW-Authenticate", "Bearer realm=\"weir\"");
        }
        context.contentType(Problem.MEDIA_TYPE).result(WireJson.STRICT.writeValueAsBytes(problem));
    }

    private static java.util.Optional<String> retryAfter(RefusedRequest refused) {
        @Nullable Duration wait = refused.retryAfter();
        return java.util.Optional.ofNullable(wait).map(time -> String.valueOf(Math.max(1, time.toSeconds())));
    }
}
