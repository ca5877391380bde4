package dev.weir.server;

import dev.weir.api.Health;
import dev.weir.core.limit.Moment;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.shard.CounterName;
import dev.weir.engine.shard.Loop;
import dev.weir.postgres.DurabilityCheck;
import dev.weir.server.http.HttpBounds;
import dev.weir.server.http.HttpServer;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.ServerCertificate;
import dev.weir.server.http.TlsFiles;
import dev.weir.server.routes.ApiRoutes;
import dev.weir.server.routes.OrganisationPorts;
import dev.weir.server.routes.SecretPorts;
import dev.weir.server.routes.SessionPorts;
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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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

/** A node of Weir in this process: its database, its engine and its HTTP server. */
public final class ServerNode implements AutoCloseable {
    /** The organisation that every installation starts with. */
    public static final String DEFAULT_ORGANISATION = "default";

    private static final int PROBE_TIMEOUT_SECONDS = 2;

    /** The time between two looks for deletions, in microseconds. */
    private static final long DELETIONS_INTERVAL = 2_000_000;

    private final NodeSettings settings;
    private final NodeDatabase database;
    private final Weir weir;
    private final HttpServer http;
    private final SecretKeys secretKeys;
    private final TokenCache tokens;
    private final Loop tokenUses;
    private final Loop deletions;
    private final Optional<String> newToken;

    private ServerNode(
            NodeSettings settings, NodeDatabase database, SecretSource nodeSecrets, Optional<String> newToken) {
        this.settings = settings;
        this.database = database;
        this.newToken = newToken;
        var postgres = database.postgres();
        Path ownKey = settings.database() == null ? settings.data().resolve(SecretKeys.FILE_NAME) : null;
        this.secretKeys = SecretKeys.read(settings.outgoing().secretsKey(), System.getenv(), ownKey);
        var stored = new StoredSecrets(postgres.secrets(), secretKeys.cipher(), System::nanoTime);
        SecretSource secrets = stored.orElse(nodeSecrets);
        String name = "node-" + UUID.randomUUID();
        this.weir = Weir.open(
                postgres.journal(),
                postgres.records(),
                new EngineSettings(name, secrets, settings.outgoing().calls(), settings.notices()));
        try {
            var meters = meters(weir);
            this.tokens = new TokenCache(postgres.organisations(), postgres.sessions(), System::nanoTime);
            var services = new OrganisationPorts(
                    postgres.organisations(),
                    tokens::forget,
                    new SecretPorts(postgres.secrets(), secretKeys.cipher(), stored::refresh),
                    postgres.deletions(),
                    new SessionPorts(postgres.sessions(), tokens::forgetSession));
            var api = new ApiRoutes(weir, secrets, services, this::health, meters);
            this.tokenUses = new Loop("weir token uses", () -> {
                tokens.writeUses();
                return Moment.micros(TokenCache.USES_INTERVAL);
            });
            this.http = HttpServer.start(settings.address(), HttpBounds.defaults(), tokens, meters, api::add);
            this.deletions =
                    new Loop("weir deletions", () -> postgres.deletions().continueOne() ? 0 : DELETIONS_INTERVAL);
            tokenUses.start();
            deletions.start();
        } catch (RuntimeException e) {
            weir.close();
            throw e;
        }
    }

    /**
     * Opens a node, and creates what it needs at the first start.
     *
     * @param messages a listener for progress messages, in words for people
     * @param onLost an action to run when the node cannot continue
     */
    public static ServerNode open(NodeSettings settings, Consumer<String> messages, Runnable onLost)
            throws IOException {
        if (Files.exists(settings.data()) && !Files.isDirectory(settings.data())) {
            throw new NodeStartFailed(
                    "expected a folder at " + settings.data() + ", found a file; choose another folder with --data");
        }
        checkTls(settings.address());
        checkPort(settings);
        Weir.warmUp();
        SecretSource secrets = secrets(settings.outgoing(), messages);
        var database = NodeDatabase.open(settings, new NodeDatabase.DatabaseListener(messages, onLost));
        try {
            for (DurabilityCheck.Finding finding :
                    database.postgres().durability().findings()) {
                messages.accept("WARNING: acknowledged data may be lost: " + finding.message());
            }
            var node = new ServerNode(
                    settings, database, secrets, newToken(database.postgres().organisations(), settings.data()));
            return node.writeProfileOrStop();
        } catch (JavalinBindException e) {
            database.close();
            throw cannotListen(settings, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** Combines the secrets of the file with those of the environment. The file takes precedence. */
    private static SecretSource secrets(NodeSettings.Outgoing outgoing, Consumer<String> messages)
            throws NodeStartFailed {
        var environment = new EnvironmentSecrets();
        if (outgoing.secrets() == null) {
            return environment;
        }
        return FileSecrets.open(outgoing.secrets(), messages).orElse(environment);
    }

    /** Checks the certificate before anything slow begins. */
    private static void checkTls(HttpServer.Address address) throws NodeStartFailed {
        TlsFiles tls = address.tls();
        try {
            if (tls != null) {
                Object unused = ServerCertificate.read(tls, Instant.now());
            }
        } catch (IOException e) {
            throw new NodeStartFailed(String.valueOf(e.getMessage()), e);
        }
    }

    /** Checks that the port is free before anything slow begins. */
    private static void checkPort(NodeSettings settings) throws IOException {
        var address = new InetSocketAddress(
                settings.address().host(), settings.address().port());
        if (address.isUnresolved()) {
            throw new NodeStartFailed(
                    "cannot listen on " + settings.address().host() + ": unknown host; choose an address of this"
                            + " machine with --host, such as " + NodeSettings.DEFAULT_HOST);
        }
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (BindException e) {
            throw cannotListen(settings, String.valueOf(e.getMessage()));
        }
    }

    private static NodeStartFailed cannotListen(NodeSettings settings, String bindError) {
        String reason = bindError.contains("ermission")
                ? "permission denied; choose a port of at least 1024 with --port"
                : bindError.contains("assign requested")
                        ? "this machine does not have the address; choose another one with --host"
                        : "the port is in use. If another node runs there, use it, or choose another port with --port";
        return new NodeStartFailed("cannot listen on " + settings.address().host() + ":"
                + settings.address().port() + ": " + reason);
    }

    /**
     * Creates a token if the data directory holds no valid one: at the first start, and if the noted token was lost
     * or never written because that start was interrupted. Anyone who may open the database may have a token.
     */
    private static Optional<String> newToken(OrganisationStore organisations, Path data) throws IOException {
        organisations.createOrganisation(DEFAULT_ORGANISATION);
        boolean hasValidToken = LocalProfile.find(data)
                .flatMap(profile -> organisations.findByToken(profile.token()))
                .isPresent();
        return hasValidToken
                ? Optional.empty()
                : Optional.of(organisations.createToken(DEFAULT_ORGANISATION, "weir up"));
    }

    /**
     * Writes the profile that says how to reach the node. If that fails, the node is stopped; its database stays
     * open.
     */
    private ServerNode writeProfileOrStop() throws IOException {
        try {
            writeProfile();
            return this;
        } catch (IOException | RuntimeException e) {
            stop();
            throw e;
        }
    }

    private void writeProfile() throws IOException {
        Optional<String> token = newToken.isPresent()
                ? newToken
                : LocalProfile.find(settings.data()).map(LocalProfile::token);
        if (token.isPresent()) {
            TlsFiles tls = settings.address().tls();
            String certificate =
                    tls == null ? null : tls.certificate().toAbsolutePath().toString();
            new LocalProfile(url(), token.get(), certificate).write(settings.data());
        }
    }

    private static PrometheusMeterRegistry meters(Weir weir) {
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        for (CounterName count : CounterName.values()) {
            FunctionCounter.builder(
                            "weir.engine." + count.name().toLowerCase(Locale.ROOT),
                            weir,
                            engine -> engine.counters().of(count))
                    .register(meters);
        }
        return meters;
    }

    /**
     * Returns the API token of the organisation {@code default} if this start has created it. It is not shown
     * again.
     */
    public Optional<String> newToken() {
        return newToken;
    }

    /** Returns the URL for programs on this machine. */
    public String url() {
        var address = settings.address();
        URI baseUrl = address.baseUrl();
        if (address.tls() == null) {
            return "http://" + address.host() + ":" + http.port();
        }
        // The certificate names the host of the base URL, and mostly not the address.
        return baseUrl == null ? "https://" + address.host() + ":" + http.port() : withoutSlash(baseUrl);
    }

    /** Returns the address of the console for browsers, without a slash at its end. */
    public String consoleUrl() {
        URI baseUrl = settings.address().baseUrl();
        return baseUrl == null ? url() : withoutSlash(baseUrl);
    }

    private static String withoutSlash(URI url) {
        String text = url.toString();
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /**
     * Creates a link to the console that signs in once as the organisation {@code default}; absent if the data folder
     * holds no valid token.
     */
    public Optional<String> createSignInLink() throws IOException {
        return LocalProfile.find(settings.data())
                .flatMap(profile -> database.postgres().sessions().createLink(profile.token()))
                .map(link -> consoleUrl() + "/#sign-in=" + link.code());
    }

    public Path data() {
        return settings.data();
    }

    /**
     * Returns the node's health: unavailable without its database or engine, degraded if acknowledged data may be
     * lost or a shard fails.
     */
    Health health() {
        return health(weir, () -> {
            database.probe();
            List<String> findings = new ArrayList<>(secretFindings());
            database.postgres().durability().findings().forEach(finding -> findings.add(finding.message()));
            return findings;
        });
    }

    /** Returns what keeps stored secrets from being used. Without any, a missing key is no problem. */
    private List<String> secretFindings() {
        var unreadable = database.postgres().secrets().keyIds().stream()
                .filter(id -> !secretKeys.cipher().canOpen(id))
                .toList();
        if (unreadable.isEmpty()) {
            return List.of();
        }
        String problem = secretKeys.problem();
        return List.of("secrets cannot be read: they are sealed with keys that the node does not have ("
                + String.join(", ", unreadable) + ")" + (problem == null ? "" : "; " + problem));
    }

    /**
     * Returns the health of an engine and its database.
     *
     * @param databaseFindings returns findings about the database after it has really answered, and throws {@link
     *     Unavailable} if it does not; the engine alone could answer from memory
     */
    static Health health(Weir weir, Supplier<List<String>> databaseFindings) {
        List<String> findings = new ArrayList<>(weir.outages());
        try {
            findings.addAll(databaseFindings.get());
            weir.query(DEFAULT_ORGANISATION, (organisation, now) -> now).get(PROBE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (Unavailable e) {
            findings.addFirst(String.valueOf(e.getMessage()));
            return new Health("unavailable", findings);
        } catch (TimeoutException e) {
            findings.addFirst("the engine did not respond within " + PROBE_TIMEOUT_SECONDS + " s");
            return new Health("unavailable", findings);
        } catch (ExecutionException e) {
            findings.addFirst("the engine does not respond: "
                    + RefusedRequest.from(e).problem().detail());
            return new Health("unavailable", findings);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Health(findings.isEmpty() ? "ok" : "degraded", findings);
    }

    /** Stops accepting requests, answers those that were accepted, and stops the node. */
    @Override
    public void close() {
        stop();
        try {
            database.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void stop() {
        http.drain();
        weir.close();
        http.close();
        tokenUses.close();
        deletions.close();
        tokens.writeUses();
    }
}
