package dev.weir.bench.database;

import dev.weir.bench.Goal;
import dev.weir.bench.database.HttpLoad.Kind;
import dev.weir.bench.database.HttpLoad.LoadRound;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The speed over HTTP, compared with the speed in process. Client, node and PostgreSQL share one machine, each in its
 * own process; the engine in process has a database of its own.
 */
public final class HttpBench {
    private static final int WARM_UP_ROUNDS = 6;
    /** The CPU time of the client for a start and a report before reports were batched was 830 µs. */
    private static final double CLIENT_MICROS_GOAL = 415;

    private final boolean quick;
    private final Map<Kind, List<HttpRound>> rounds = new EnumMap<>(Kind.class);
    private final List<Double> inProcess = new ArrayList<>();

    /** The figures of one round over HTTP, with the CPU time of the node per job, in microseconds. */
    private record HttpRound(double perSecond, double clientMicros, double nodeMicros) {}

    public HttpBench(boolean quick) {
        this.quick = quick;
        for (Kind kind : Kind.values()) {
            rounds.put(kind, new ArrayList<>());
        }
    }

    public List<Goal> run() throws Exception {
        int count = quick ? 3 : 5;
        try (BenchDatabase ownServer = BenchDatabase.open();
                var node = new LocalNode(ownServer);
                var engine = new OneStepRuns(ownServer, node, "plain", "", 1);
                BenchDatabase server = BenchDatabase.open();
                var http = HttpNode.start(server.address());
                var load = HttpLoad.start(http)) {
            for (int round = 1 - WARM_UP_ROUNDS; round <= count; round++) {
                String name = round <= 0 ? "warming up" : "round " + round;
                Round own = Round.measure(ownServer, engine, quick ? 20_000 : 60_000);
                System.err.printf("  %-12s in process: %s (%s)%n", name, own, MachineLoad.describe());
                if (round > 0) {
                    inProcess.add(own.perSecond());
                }
                for (Kind kind : Kind.values()) {
                    HttpRound measured = measure(server, http, load, kind);
                    System.err.printf(
                            "  %-12s %s: %,.0f a second, %.0f µs of the client and %.0f µs of the node for each (%s)%n",
                            name,
                            kind,
                            measured.perSecond,
                            measured.clientMicros,
                            measured.nodeMicros,
                            MachineLoad.describe());
                    if (round > 0) {
                        rounds.getOrDefault(kind, List.of()).add(measured);
                    }
                }
            }
        }
        return goals();
    }

    private HttpRound measure(BenchDatabase server, HttpNode node, HttpLoad load, Kind kind)
            throws IOException, SQLException {
        int jobs = jobs(kind);
        long before = done(server);
        Duration cpu = node.cpu();
        LoadRound round = load.run(kind, jobs);
        double nodeMicros = node.cpu().minus(cpu).toNanos() / 1e3 / jobs;
        long expected = kind == Kind.BATCHED || kind == Kind.SINGLE ? jobs : 0;
        long done = done(server) - before;
        if (done != expected) {
            throw new IllegalStateException(kind + ": expected " + expected + " runs done in the rows, found " + done);
        }
        return new HttpRound(round.perSecond(), round.clientMicros(), nodeMicros);
    }

    private int jobs(Kind kind) {
        return switch (kind) {
            case BATCHED -> quick ? 20_000 : 60_000;
            case SINGLE, RAW_STARTS -> quick ? 6_000 : 20_000;
            case RAW_HEALTH -> quick ? 20_000 : 60_000;
        };
    }

    private static long done(BenchDatabase server) throws SQLException {
        return server.number("select count(*) from weir.run_history where workflow = 'plain' and state = 'c'");
    }

    private List<Goal> goals() {
        double engine = inProcess.stream().sorted().toList().get(inProcess.size() / 2);
        double starts = median(Kind.RAW_STARTS, HttpRound::perSecond);
        return List.of(
                Goal.atLeast("http_to_in_process", median(Kind.BATCHED, HttpRound::perSecond) / engine, 0.3),
                Goal.atMost(
                        "http_client_micros_per_run", median(Kind.SINGLE, HttpRound::clientMicros), CLIENT_MICROS_GOAL),
                Goal.atLeast("http_starts_to_health", starts / median(Kind.RAW_HEALTH, HttpRound::perSecond), 0.5));
    }

    private double median(Kind kind, ToDoubleFunction<HttpRound> figure) {
        double[] sorted = rounds.getOrDefault(kind, List.of()).stream()
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElse(0);
    }
}
