package dev.weir.bench.database;

import dev.weir.bench.Goal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What many waiting steps cost, and how soon a step starts where none waits. */
public final class Waiting {
    /** Rounds before what comes first is measured: it must not be the slower for being first. */
    private static final int WARM_UPS = 5;
    /** Rounds behind each backlog before those that count: starting a million runs is other work, and leaves pages to write. */
    private static final int SETTLING = 3;

    private static final int ROUNDS = 5;

    private final boolean quick;

    public Waiting(boolean quick) {
        this.quick = quick;
    }

    /** From the start of a run to the moment at which its step is with a worker that had been waiting for it. */
    public List<Goal> latency() throws Exception {
        int runs = quick ? 500 : 3_000;
        try (Server server = Server.open();
                var bare = new BareCommit(server);
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            weir.run(5_000);
            double[] took = new double[runs];
            for (int i = 0; i < runs; i++) {
                var claim = node.claim("idle-" + i, "plain", 1);
                node.weir().look(LocalNode.ORG, (org, now) -> now).join();
                long begun = System.nanoTime();
                var started = node.start("idle-" + i, "plain", 0);
                var claims = claim.get(30, TimeUnit.SECONDS);
                took[i] = (System.nanoTime() - begun) / 1e3;
                started.join();
                node.complete(claims.getFirst()).join();
            }
            Arrays.sort(took);
            double commit = bare.micros(2_000);
            System.err.printf(
                    "  ready to started: p50 %.0f µs, p99 %.0f µs; a bare commit takes %.0f µs%n",
                    took[runs / 2], took[runs * 99 / 100], commit);
            return List.of(
                    Goal.atMost("ready_to_started_p50_to_two_commits", took[runs / 2] / (2 * commit), 4),
                    Goal.atMost("ready_to_started_p99_millis", took[runs * 99 / 100] / 1e3, 20));
        }
    }

    /** CPU of the whole system for a job while a million wait, beside a thousand; and what it takes to open that. */
    public List<Goal> backlog(boolean open) throws Exception {
        int large = quick ? 100_000 : 1_000_000;
        int jobs = quick ? 10_000 : 50_000;
        List<Goal> goals = new ArrayList<>();
        try (Server server = Server.open()) {
            try (var node = new LocalNode(server);
                    var weir = new OneStepRuns(server, node, "plain", "", 1)) {
                for (int i = 0; i < WARM_UPS; i++) {
                    weir.run(jobs);
                }
                double few = cpuBehind(server, weir, 1_000, jobs);
                System.err.printf("  starting %,d runs that wait%n", large);
                weir.startOnly(large - 1_000);
                double many = cpuBehind(server, weir, 0, jobs);
                System.err.printf("  CPU for a job: %.1f µs behind 1,000, %.1f µs behind %,d%n", few, many, large);
                goals.add(Goal.atMost("cpu_backlog_" + large + "_to_1000", many / few, 1.2));
            }
            if (open) {
                goals.addAll(open(server, large));
            }
        }
        return goals;
    }

    private static double cpuBehind(Server server, OneStepRuns weir, int backlog, int jobs) throws Exception {
        if (backlog > 0) {
            weir.startOnly(backlog);
        }
        for (int i = 0; i < SETTLING; i++) {
            weir.run(jobs);
        }
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            rounds.add(Round.of(server, weir, jobs));
            System.err.println("  " + rounds.getLast());
        }
        return Round.median(rounds, Round::cpuMicros);
    }

    private static List<Goal> open(Server server, int waiting) throws Exception {
        long before = heap();
        long begun = System.nanoTime();
        try (var node = new LocalNode(server)) {
            node.weir().look(LocalNode.ORG, (org, now) -> now).get(5, TimeUnit.MINUTES);
            double seconds = (System.nanoTime() - begun) / 1e9;
            double bytes = (double) (heap() - before) / waiting;
            System.err.printf(
                    "  opened with %,d waiting in %.1f s, %.0f bytes of heap for each%n", waiting, seconds, bytes);
            return List.of(
                    Goal.atMost("open_seconds_per_million_waiting", seconds * 1e6 / waiting, 30),
                    Goal.atMost("open_heap_bytes_per_waiting", bytes, 2_000));
        }
    }

    private static long heap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
