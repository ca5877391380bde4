package dev.weir.cli.rig;

import dev.weir.cli.rig.Tenant.TenantRequest;
import dev.weir.cli.rig.Tenant.TenantResponse;
import dev.weir.postgres.PostgresDatabase;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends each request for two organisations. The first organisation's request is sent once. The second one's is sent
 * and committed but not answered, because the node is killed, and is then sent again to the next node. Each second
 * organisation has its own shard and therefore its own connection, so that a single kill hits all of them between
 * commit and answer.
 */
final class RepeatedRequestRig implements AutoCloseable {
    private static final int COMMITTED_MAX_SECONDS = 30;
    private static final int ONCE_SHARD = 255;

    private final Path directory;
    private final Database database;
    private final PostgresDatabase postgres;
    private final CommitProxy proxy;
    private final NodeProcess.NodeLaunch launch;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Pair> pairs = new ArrayList<>();
    private NodeProcess node;

    /** A request and the two organisations that send it. */
    private record Pair(RepeatedRequest repeat, Tenant once, Tenant twice) {}

    /**
     * The outcome of a pair.
     *
     * @param lost true if the first answer was lost
     * @param committed true if the rows show the commit before the request is sent again
     */
    record Outcome(TenantResponse once, TenantResponse again, boolean lost, boolean committed) {}

    RepeatedRequestRig(Path directory, List<RepeatedRequest> repeats) throws Exception {
        this.directory = directory;
        TestFolder.create(directory);
        this.database = new Database(directory.resolve("postgres"));
        this.postgres = PostgresDatabase.open(database.address());
        this.proxy = new CommitProxy(database.port());
        this.launch = new NodeProcess.NodeLaunch(
                directory.resolve("node"),
                directory.resolve("node.log"),
                NodePort.findFree(),
                List.of("--database", proxy.url("weir")),
                Map.of("PGUSER", database.user(), "PGPASSWORD", database.password()));
        this.node = NodeProcess.start(launch);
        for (RepeatedRequest repeat : repeats) {
            pairs.add(new Pair(
                    repeat,
                    tenant("once: " + repeat.name(), ONCE_SHARD),
                    tenant("twice: " + repeat.name(), pairs.size())));
        }
    }

    private Tenant tenant(String name, int shard) throws SQLException {
        String token = database.createOrganisation(postgres.organisations(), name, shard);
        return new Tenant(name, launch.url(), token, http);
    }

    Map<RepeatedRequest, Outcome> run() throws Exception {
        node.awaitReady();
        Map<RepeatedRequest, TenantResponse> once =
                forEachPair(pair -> pair.once.send(pair.repeat.preparation().prepare(pair.once)));
        Map<RepeatedRequest, TenantRequest> requests = forEachPair(pair -> {
            // Makes the node take the shard first, because that is a commit too.
            pair.twice.sendOk(TenantRequest.of("GET", "/v1/keys", null));
            return pair.repeat.preparation().prepare(pair.twice);
        });
        Map<RepeatedRequest, TableRows> before = forEachPair(pair -> rowsSentTwice(pair.repeat));
        Map<RepeatedRequest, CompletableFuture<TenantResponse>> lost = sendAndKill(requests);
        Map<RepeatedRequest, TableRows> committed = forEachPair(pair -> rowsSentTwice(pair.repeat));
        node = NodeProcess.start(launch);
        node.awaitReady();
        Map<RepeatedRequest, TenantResponse> again = forEachPair(pair -> pair.twice.send(requestOf(requests, pair)));
        Map<RepeatedRequest, Outcome> outcomes = new LinkedHashMap<>();
        lost.forEach((repeat, answer) -> outcomes.put(
                repeat,
                new Outcome(
                        get(once, repeat),
                        get(again, repeat),
                        answer.isCompletedExceptionally(),
                        !get(before, repeat)
                                .unfiltered()
                                .equals(get(committed, repeat).unfiltered()))));
        return outcomes;
    }

    private static TenantRequest requestOf(Map<RepeatedRequest, TenantRequest> requests, Pair pair) {
        return get(requests, pair.repeat);
    }

    private static <T> T get(Map<RepeatedRequest, T> map, RepeatedRequest repeat) {
        return java.util.Objects.requireNonNull(map.get(repeat));
    }

    private Map<RepeatedRequest, CompletableFuture<TenantResponse>> sendAndKill(
            Map<RepeatedRequest, TenantRequest> requests) throws InterruptedException {
        var trap = new BlockingTrap(pairs.size());
        proxy.arm(trap);
        Map<RepeatedRequest, CompletableFuture<TenantResponse>> sent = new LinkedHashMap<>();
        pairs.forEach(pair -> sent.put(pair.repeat, pair.twice.sendAsync(requestOf(requests, pair))));
        trap.await(COMMITTED_MAX_SECONDS);
        node.kill();
        proxy.disarm();
        trap.release();
        sent.values()
                .forEach(
                        answer -> answer.handle((response, failure) -> response).join());
        return sent;
    }

    /** An action for each pair. */
    @FunctionalInterface
    private interface PairAction<T> {
        T apply(Pair pair) throws Exception;
    }

    private <T> Map<RepeatedRequest, T> forEachPair(PairAction<T> action) throws Exception {
        Map<RepeatedRequest, Future<T>> futures = new LinkedHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            pairs.forEach(pair -> futures.put(pair.repeat, threads.submit(() -> action.apply(pair))));
        }
        Map<RepeatedRequest, T> results = new LinkedHashMap<>();
        for (var each : futures.entrySet()) {
            results.put(each.getKey(), each.getValue().get());
        }
        return results;
    }

    TableRows rowsSentOnce(RepeatedRequest repeat) throws SQLException {
        return database.tableRows("once: " + repeat.name());
    }

    TableRows rowsSentTwice(RepeatedRequest repeat) throws SQLException {
        return database.tableRows("twice: " + repeat.name());
    }

    String nodeLog() throws IOException {
        return node.logEnd();
    }

    /** Ends every process that was started, and removes their files. */
    @Override
    public void close() throws IOException {
        http.close();
        try {
            node.close();
        } finally {
            proxy.close();
            postgres.close();
            database.close();
        }
        TestFolder.remove(directory);
    }
}
