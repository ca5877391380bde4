package dev.weir.bench.database;

import dev.weir.bench.Goal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The cost of many waiting steps, and the latency of a start when none waits. */
public final class WaitingBench {
    /** Rounds before there is a backlog, because the JIT compilers have much to do at first. */
    static final int WARM_UP_ROUNDS = 6;
    /**
     * Rounds with a backlog before the counted ones. Starting a million runs is different work, and leaves pages to
     * write.
     */
    static final int SETTLING_ROUNDS = 4;

    private static final int ROUNDS = 9;
    private static final int SMALL_BACKLOG = 1_000;

    private final boolean quick;

    public WaitingBench(boolean quick) {
        this.quick = quick;
    }

    /** Measures the time from the start of a run until a waiting worker has its step. */
    public List<Goal> latency() throws Exception {
        int runs = quick ? 500 : 3_000;
        try (BenchDatabase server = BenchDatabase.open();
                var bare = new BareCommit(server);
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            weir.run(5_000);
            double[] durations = new double[runs];
            for (int i = 0; i < runs; i++) {
                var claim = node.claim("idle-" + i, "plain", 1);
                node.weir().query(LocalNode.ORG, (org, now) -> now).join();
                long startNanos = System.nanoTime();
                var started = node.start("idle-" + i, "plain", 0);
                var claims = claim.get(30, TimeUnit.SECONDS);
                durations[i] = (System.nanoTime() - startNanos) / 1e3;
                started.join();
                node.complete(claims.getFirst()).join();
            }
            Arrays.sort(durations);
            double commit = bare.medianMicros(2_000);
            System.err.printf(
                    "  ready to started: p50 %.0f µs, p99 %.0f µs; a bare commit takes %.0f µs%n",
                    durations[runs / 2], durations[runs * 99 / 100], commit);
            return List.of(
                    Goal.atMost("ready_to_started_p50_to_two_commits", durations[runs / 2] / (2 * commit), 4),
                    Goal.atMost("ready_to_started_p99_millis", durations[runs * 99 / 100] / 1e3, 20));
        }
    }

    /** Compares the CPU time per job of both processes while a million runs wait with that while a thousand wait. */
    public List<Goal> backlog() throws IOException {
        int large = largeBacklog();
        int jobs = quick ? 10_000 : 50_000;
        System.err.printf(
                "  starting %,d and %,d runs that wait, each in a process of its own%n", SMALL_BACKLOG, large);
        try (BenchProcess many = BenchProcess.startWithWaiting(large, jobs);
                BenchProcess few = BenchProcess.startWithWaiting(SMALL_BACKLOG, jobs)) {
            few.awaitReady();
            many.awaitReady();
            List<Round> behindFew = new ArrayList<>();
            List<Round> behindMany = new ArrayList<>();
            for (int i = 1; i <= ROUNDS; i++) {
                behindFew.add(few.round());
                System.err.printf("  round %d behind %,d: %s%n", i, SMALL_BACKLOG, behindFew.getLast());
                behindMany.add(many.round());
                System.err.printf("  round %d behind %,d: %s%n", i, large, behindMany.getLast());
            }
            double ratio = Round.median(behindMany, Round::cpuMicros) / Round.median(behindFew, Round::cpuMicros);
            return List.of(Goal.atMost("cpu_backlog_" + large + "_to_" + SMALL_BACKLOG, ratio, 1.2));
        }
    }

    private int largeBacklog() {
        return quick ? 100_000 : 1_000_000;
    }

    /** Measures the time and the heap that it takes to open an organisation with a million waiting steps. */
    public List<Goal> open() throws Exception {
        int waiting = largeBacklog();
        try (BenchDatabase server = BenchDatabase.open()) {
            System.err.printf("  starting %,d runs that wait%n", waiting);
            try (var node = new LocalNode(server);
                    var weir = new OneStepRuns(server, node, "plain", "", 1)) {
                weir.startOnly(waiting);
            }
            return open(server, waiting);
        }
    }

    private static List<Goal> open(BenchDatabase server, int waiting) throws Exception {
        long before = usedHeap();
        long startNanos = System.nanoTime();
        try (var node = new LocalNode(server)) {
            node.weir().query(LocalNode.ORG, (org, now) -> now).get(5, TimeUnit.MINUTES);
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            double bytes = (double) (usedHeap() - before) / waiting;
            System.err.printf(
                    "  opened with %,d waiting in %.1f s, %.0f bytes of heap for each%n", waiting, seconds, bytes);
            return List.of(
                    Goal.atMost("open_seconds_per_million_waiting", seconds * 1e6 / waiting, 30),
                    Goal.atMost("open_heap_bytes_per_waiting", bytes, 2_000));
        }
    }

    private static long usedHeap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
