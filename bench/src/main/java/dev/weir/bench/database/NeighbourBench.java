package dev.weir.bench.database;

import dev.weir.bench.Goal;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.Update;
import dev.weir.engine.request.StartRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The delay that one organisation with a million waiting steps, a thousand keys and a flood of requests causes in
 * another organisation of its shard: under load, and while a restarted node reads the large one into memory.
 */
public final class NeighbourBench {
    /** The delay of the other organisation's first step that PROMISES L5 allows, in seconds. */
    private static final double DELAY_MAX_SECONDS = 2;

    private static final int KEYS = 1_000;
    private static final String WORKFLOW = "keyed";
    private static final long LEASE_MICROS = 60_000_000;
    private static final int FLOOD_THREADS = 8;
    private static final int FLOOD_UNANSWERED_MAX = 2_000;

    private final boolean quick;

    public NeighbourBench(boolean quick) {
        this.quick = quick;
    }

    public List<Goal> run() throws Exception {
        int waiting = quick ? 100_000 : 1_000_000;
        try (BenchDatabase server = BenchDatabase.open()) {
            List<Goal> goals = new ArrayList<>(underLoad(server, waiting));
            goals.add(afterRestart(server, waiting));
            return goals;
        }
    }

    private List<Goal> underLoad(BenchDatabase server, int waiting) throws Exception {
        try (var node = new LocalNode(server);
                var large = new OneStepRuns(
                        server, node, WORKFLOW, "{ key: \"k-${{ input.key }}\", parallelism: 1 }", KEYS)) {
            var neighbour = new Neighbour(server, node);
            double[] alone = neighbour.firstSteps(quick ? 50 : 200);
            System.err.printf("  starting %,d runs that wait for %,d keys%n", waiting, KEYS);
            large.startOnly(waiting);
            double[] disturbed;
            try (var flood = new Flood(node)) {
                disturbed = neighbour.firstSteps(quick ? 50 : 500);
                System.err.printf("  the flood made %,d requests meanwhile%n", flood.requests());
            }
            System.err.printf(
                    Locale.ROOT,
                    "  first step alone: p50 %.1f ms, p99 %.1f ms; beside the large organisation: p50 %.1f ms, p99 %.1f ms%n",
                    percentile(alone, 50) * 1e3,
                    percentile(alone, 99) * 1e3,
                    percentile(disturbed, 50) * 1e3,
                    percentile(disturbed, 99) * 1e3);
            return List.of(Goal.atMost(
                    "neighbour_first_step_p99_seconds_beside_" + waiting,
                    percentile(disturbed, 99),
                    DELAY_MAX_SECONDS));
        }
    }

    /** Measures the neighbour's slowest first step from a restart until the large organisation is in memory. */
    private Goal afterRestart(BenchDatabase server, int waiting) throws Exception {
        long startNanos = System.nanoTime();
        try (var node = new LocalNode(server)) {
            var neighbour = new Neighbour(server, node);
            var loaded = node.weir().query(LocalNode.ORG, (org, now) -> now);
            double slowest = 0;
            int steps = 0;
            boolean isLoaded = false;
            while (!isLoaded) {
                slowest = Math.max(slowest, neighbour.firstSteps(1)[0]);
                steps++;
                isLoaded = loaded.isDone() && !loaded.isCompletedExceptionally();
                if (loaded.isCompletedExceptionally()) {
                    loaded = node.weir().query(LocalNode.ORG, (org, now) -> now);
                }
            }
            System.err.printf(
                    Locale.ROOT,
                    "  the large organisation was in memory after %.1f s; the neighbour made %,d steps meanwhile, the slowest in %.0f ms%n",
                    (System.nanoTime() - startNanos) / 1e9,
                    steps,
                    slowest * 1e3);
            return Goal.atMost(
                    "neighbour_first_step_max_seconds_during_load_of_" + waiting, slowest, DELAY_MAX_SECONDS);
        }
    }

    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    /** A small organisation in the shard of the large one. */
    private static final class Neighbour {
        private final LocalNode node;
        private final String org;
        private int next;

        Neighbour(BenchDatabase server, LocalNode node) throws SQLException {
            this.node = node;
            this.org = node.organisationInShardOf(LocalNode.ORG);
            Workflow workflow = Workflow.named("small").step("a").uses("small").build();
            node.weir().send(org, new RegisterWorkflow(workflow)).join();
            this.next = (int) server.number("select count(*) from weir.run_ids");
        }

        /** Starts runs one after the other. Returns the seconds until each one's step was granted, sorted. */
        double[] firstSteps(int runs) throws ExecutionException, InterruptedException, TimeoutException {
            double[] seconds = new double[runs];
            for (int i = 0; i < runs; i++) {
                String id = "small-" + next++;
                long startNanos = System.nanoTime();
                var poll = node.weir()
                        .claim(
                                org,
                                new ClaimWork(
                                        id, "worker", List.of(new ClaimWork.ServedModule("small")), 1, LEASE_MICROS),
                                Duration.ofSeconds(20));
                node.weir()
                        .start(org, StartRequest.of(id, "small", LocalNode.PAYLOAD))
                        .join();
                Assignment work = poll.get(60, TimeUnit.SECONDS).getFirst();
                seconds[i] = (System.nanoTime() - startNanos) / 1e9;
                node.weir()
                        .send(
                                org,
                                new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.NoOp()))
                        .join();
            }
            Arrays.sort(seconds);
            return seconds;
        }
    }

    /** Requests of the large organisation, as many as the node takes: starts, polls and questions. */
    private static final class Flood implements AutoCloseable {
        private final LocalNode node;
        private final ExecutorService threads = Executors.newFixedThreadPool(FLOOD_THREADS);
        private final Semaphore unanswered = new Semaphore(FLOOD_UNANSWERED_MAX);
        private final AtomicLong requests = new AtomicLong();
        private volatile boolean stopped;

        Flood(LocalNode node) {
            this.node = node;
            for (int i = 0; i < FLOOD_THREADS; i++) {
                int thread = i;
                var unused = threads.submit(() -> run(thread));
            }
        }

        private void run(int thread) {
            for (int i = 0; !stopped; i++) {
                unanswered.acquireUninterruptibly();
                long number = requests.incrementAndGet();
                var answer = i % 2 == 0
                        ? node.weir().query(LocalNode.ORG, (org, now) -> now)
                        : node.weir()
                                .start(
                                        LocalNode.ORG,
                                        StartRequest.of("flood-" + thread + "-" + number, WORKFLOW, LocalNode.PAYLOAD));
                var unused = answer.whenComplete((ignored, failure) -> unanswered.release());
            }
        }

        long requests() {
            return requests.get();
        }

        @Override
        public void close() {
            stopped = true;
            threads.shutdown();
            unanswered.acquireUninterruptibly(FLOOD_UNANSWERED_MAX);
        }
    }
}
