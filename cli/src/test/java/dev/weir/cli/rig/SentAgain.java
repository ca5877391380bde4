package dev.weir.cli.rig;

import dev.weir.cli.rig.Tenant.Asked;
import dev.weir.cli.rig.Tenant.Told;
import dev.weir.postgres.PostgresDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
final class SentAgain implements AutoCloseable {
    private static final int COMMITTED_MAX_SECONDS = 30;
    private static final int SHARD_OF_THE_ONCE = 255;

    private final Path directory;
    private final Database database;
    private final PostgresDatabase postgres;
    private final CommitProxy proxy;
    private final NodeProcess.Place place;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Pair> pairs = new ArrayList<>();
    private NodeProcess node;

    /** A request and the two organisations that send it. */
    private record Pair(Repeat repeat, Tenant once, Tenant twice) {}

    /**
     * The outcome of a pair.
     *
     * @param lost true if the first answer was lost
     * @param committed true if the rows show the commit before the request is sent again
     */
    record Outcome(Told once, Told again, boolean lost, boolean committed) {}

    SentAgain(Path directory, List<Repeat> repeats) throws Exception {
        this.directory = directory;
        Scratch.make(directory);
        this.database = new Database(directory.resolve("postgres"));
        this.postgres = PostgresDatabase.open(database.access());
        this.proxy = new CommitProxy(database.port());
        this.place = new NodeProcess.Place(
                directory.resolve("node"),
                directory.resolve("node.log"),
                freePort(),
                List.of("--database", proxy.url("weir")),
                Map.of("PGUSER", database.user(), "PGPASSWORD", database.password()));
        this.node = NodeProcess.start(place);
        for (Repeat repeat : repeats) {
            pairs.add(new Pair(
                    repeat,
                    tenant("once: " + repeat.name(), SHARD_OF_THE_ONCE),
                    tenant("twice: " + repeat.name(), pairs.size())));
        }
    }

    private Tenant tenant(String name, int shard) throws SQLException {
        String token = database.organisation(postgres.tenants(), name, shard);
        return new Tenant(name, place.url(), token, http);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    Map<Repeat, Outcome> play() throws Exception {
        node.awaitReady();
        Map<Repeat, Told> once =
                each(pair -> pair.once.send(pair.repeat.before().make(pair.once)));
        Map<Repeat, Asked> asked = each(pair -> {
            // Makes the node take the shard first, because that is a commit too.
            pair.twice.done(Asked.of("GET", "/v1/keys", null));
            return pair.repeat.before().make(pair.twice);
        });
        Map<Repeat, Kept> before = each(pair -> twice(pair.repeat));
        Map<Repeat, CompletableFuture<Told>> lost = sendAndKill(asked);
        Map<Repeat, Kept> committed = each(pair -> twice(pair.repeat));
        node = NodeProcess.start(place);
        node.awaitReady();
        Map<Repeat, Told> again = each(pair -> pair.twice.send(asked(asked, pair)));
        Map<Repeat, Outcome> outcomes = new LinkedHashMap<>();
        lost.forEach((repeat, answer) -> outcomes.put(
                repeat,
                new Outcome(
                        get(once, repeat),
                        get(again, repeat),
                        answer.isCompletedExceptionally(),
                        !get(before, repeat).all().equals(get(committed, repeat).all()))));
        return outcomes;
    }

    private static Asked asked(Map<Repeat, Asked> asked, Pair pair) {
        return get(asked, pair.repeat);
    }

    private static <T> T get(Map<Repeat, T> of, Repeat repeat) {
        return java.util.Objects.requireNonNull(of.get(repeat));
    }

    private Map<Repeat, CompletableFuture<Told>> sendAndKill(Map<Repeat, Asked> asked) throws InterruptedException {
        var halt = new Halt(pairs.size());
        proxy.arm(halt);
        Map<Repeat, CompletableFuture<Told>> sent = new LinkedHashMap<>();
        pairs.forEach(pair -> sent.put(pair.repeat, pair.twice.begin(asked(asked, pair))));
        halt.await(COMMITTED_MAX_SECONDS);
        node.kill();
        proxy.disarm();
        halt.end();
        sent.values().forEach(answer -> answer.handle((told, failure) -> told).join());
        return sent;
    }

    /** An action for each pair. */
    @FunctionalInterface
    private interface Doing<T> {
        T done(Pair pair) throws Exception;
    }

    private <T> Map<Repeat, T> each(Doing<T> doing) throws Exception {
        Map<Repeat, Future<T>> begun = new LinkedHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            pairs.forEach(pair -> begun.put(pair.repeat, threads.submit(() -> doing.done(pair))));
        }
        Map<Repeat, T> done = new LinkedHashMap<>();
        for (var each : begun.entrySet()) {
            done.put(each.getKey(), each.getValue().get());
        }
        return done;
    }

    Kept once(Repeat repeat) throws SQLException {
        return database.kept("once: " + repeat.name());
    }

    Kept twice(Repeat repeat) throws SQLException {
        return database.kept("twice: " + repeat.name());
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
        Scratch.remove(directory);
    }
}
