package dev.weir.server;

import dev.weir.api.Health;
import dev.weir.engine.Settings;
import dev.weir.engine.Weir;
import dev.weir.engine.call.Secrets;
import dev.weir.engine.shard.Count;
import dev.weir.engine.tenants.Tenants;
import dev.weir.postgres.embedded.Durability;
import dev.weir.server.http.Bounds;
import dev.weir.server.http.HttpServer;
import dev.weir.server.routes.Api;
import io.javalin.util.JavalinBindException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A node of Weir in this process: its store, its engine and its HTTP server. */
public final class Node implements AutoCloseable {
    /** The organisation that every installation begins with. */
    public static final String ORGANISATION = "default";

    private static final int PROBE_MAX_SECONDS = 2;

    private final NodeSettings settings;
    private final Store store;
    private final Weir weir;
    private final HttpServer http;
    private final Optional<String> newToken;

    private Node(NodeSettings settings, Store store, Secrets secrets, Optional<String> newToken) {
        this.settings = settings;
        this.store = store;
        this.newToken = newToken;
        var postgres = store.postgres();
        String name = "node-" + UUID.randomUUID();
        this.weir = Weir.open(
                postgres.journal(),
                postgres.records(),
                new Settings(name, secrets, settings.outgoing().calls()));
        try {
            var meters = meters(weir);
            var api = new Api(weir, secrets, this::health, meters);
            var address = new HttpServer.Address(settings.host(), settings.port());
            var tokens = new Tokens(postgres.tenants(), System::nanoTime);
            this.http = HttpServer.start(address, Bounds.usual(), tokens, meters, api::add);
        } catch (RuntimeException e) {
            weir.close();
            throw e;
        }
    }

    /**
     * Opens a node, and makes what it needs at the first start.
     *
     * @param told what is under way, in words, for people
     * @param lost done when the node cannot go on
     */
    public static Node open(NodeSettings settings, Consumer<String> told, Runnable lost) throws IOException {
        if (Files.exists(settings.data()) && !Files.isDirectory(settings.data())) {
            throw new NodeFailed(
                    "expected a folder at " + settings.data() + ", found a file: name another with --data");
        }
        checkPort(settings);
        Secrets secrets = secrets(settings.outgoing(), told);
        var store = Store.open(settings, new Store.Watching(told, lost));
        try {
            for (Durability.Finding finding : store.postgres().durability().findings()) {
                told.accept("WARNING: what is answered may be lost: " + finding.words());
            }
            var node =
                    new Node(settings, store, secrets, newToken(store.postgres().tenants(), settings.data()));
            return node.noted();
        } catch (JavalinBindException e) {
            store.close();
            throw busy(settings, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** What the file says comes before what the environment says. */
    private static Secrets secrets(NodeSettings.Outgoing outgoing, Consumer<String> told) throws NodeFailed {
        var environment = new EnvironmentSecrets();
        if (outgoing.secrets() == null) {
            return environment;
        }
        Secrets file = FileSecrets.open(outgoing.secrets(), told);
        return (org, name) -> file.find(org, name).or(() -> environment.find(org, name));
    }

    /** Says that a port is taken before anything slow is begun. */
    private static void checkPort(NodeSettings settings) throws IOException {
        var address = new InetSocketAddress(settings.host(), settings.port());
        if (address.isUnresolved()) {
            throw new NodeFailed("cannot listen on " + settings.host() + ": no address is known by that name; give one"
                    + " of this machine with --host, such as " + NodeSettings.HOST_USUAL);
        }
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (BindException e) {
            throw busy(settings, String.valueOf(e.getMessage()));
        }
    }

    private static NodeFailed busy(NodeSettings settings, String said) {
        String reason = said.contains("ermission")
                ? "this account may not use that port; choose one from 1024 on with --port"
                : said.contains("assign requested")
                        ? "the address is not this machine's; give one that is with --host"
                        : "the port is taken. If another node runs there, use it; else choose another port with --port";
        return new NodeFailed("cannot listen on " + settings.host() + ":" + settings.port() + ": " + reason);
    }

    /**
     * A token where none that works is noted in the data directory: at the first start, and where what was noted is lost
     * or was never written, because that start was cut short. Who may open the database may have one.
     */
    private static Optional<String> newToken(Tenants tenants, Path data) throws IOException {
        tenants.createOrganisation(ORGANISATION);
        boolean noted = Profile.find(data)
                .flatMap(profile -> tenants.findByToken(profile.token()))
                .isPresent();
        return noted ? Optional.empty() : Optional.of(tenants.createToken(ORGANISATION, "weir up"));
    }

    /** Notes how to reach it; one that cannot is not left running. Its store stays open. */
    private Node noted() throws IOException {
        try {
            writeProfile();
            return this;
        } catch (IOException | RuntimeException e) {
            end();
            throw e;
        }
    }

    private void writeProfile() throws IOException {
        Optional<String> token =
                newToken.isPresent() ? newToken : Profile.find(settings.data()).map(Profile::token);
        if (token.isPresent()) {
            new Profile(url(), token.get()).write(settings.data());
        }
    }

    private static PrometheusMeterRegistry meters(Weir weir) {
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        for (Count count : Count.values()) {
            FunctionCounter.builder(
                            "weir.engine." + count.name().toLowerCase(Locale.ROOT),
                            weir,
                            engine -> engine.figures().of(count))
                    .register(meters);
        }
        return meters;
    }

    /** The API token of the organisation {@code default}, if this start has made it; it is not told again. */
    public Optional<String> newToken() {
        return newToken;
    }

    public String url() {
        return "http://" + settings.host() + ":" + http.port();
    }

    public Path data() {
        return settings.data();
    }

    /** How the node is: unavailable without its store or engine, degraded where what it answers may be lost, or a part of it does not go on. */
    Health health() {
        if (!store.isRunning()) {
            return new Health("unavailable", List.of("PostgreSQL does not run; it is being started again"));
        }
        return health(
                weir,
                () -> store.postgres().durability().findings().stream()
                        .map(Durability.Finding::words)
                        .toList());
    }

    /** How an engine is, besides what is to be said of its store. */
    static Health health(Weir weir, Supplier<List<String>> ofStore) {
        List<String> findings = new ArrayList<>(weir.troubles());
        try {
            weir.look(ORGANISATION, (organisation, now) -> now).get(PROBE_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            findings.addFirst("the engine does not answer: see the log");
            return new Health("unavailable", findings);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        findings.addAll(ofStore.get());
        return new Health(findings.isEmpty() ? "ok" : "degraded", findings);
    }

    /** Takes nothing more in, answers what was taken in, and ends. */
    @Override
    public void close() {
        end();
        try {
            store.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void end() {
        http.drain();
        weir.close();
        http.close();
    }
}
