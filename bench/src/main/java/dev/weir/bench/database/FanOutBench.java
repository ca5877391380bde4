package dev.weir.bench.database;

import dev.weir.bench.Goal;
import dev.weir.core.command.Assignment;
import dev.weir.engine.records.StepRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One fan-out of a million items, and its effect on other runs of the organisation. */
public final class FanOutBench {
    private static final int CONCURRENCY = 100;
    /** The interval at which another run is started meanwhile, in milliseconds. */
    private static final long START_INTERVAL_MILLIS = 20;

    private final boolean quick;

    public FanOutBench(boolean quick) {
        this.quick = quick;
    }

    /** Runs the fan-out, with a restart when half of it is done. */
    public List<Goal> run() throws Exception {
        int items = quick ? 100_000 : 1_000_000;
        List<Goal> goals = new ArrayList<>();
        try (BenchDatabase server = BenchDatabase.open()) {
            double alone;
            double duringFanOut;
            long heap;
            try (var node = new LocalNode(server)) {
                register(node, items);
                alone = p99(measureStarts(node, "alone", quick ? 200 : 1_000));
                long before = usedHeap();
                long startNanos = System.nanoTime();
                node.start("large-1", "large", 0).join();
                duringFanOut = p99(workUntil(node, items / 2));
                heap = usedHeap() - before;
                System.err.printf(
                        "  %,d of %,d items done after %.0f s; other runs start within %.1f ms (p99; alone %.1f ms)%n",
                        items / 2, items, (System.nanoTime() - startNanos) / 1e9, duringFanOut, alone);
            }
            goals.add(Goal.atMost("large_other_start_p99_millis", duringFanOut, 250));
            goals.add(Goal.atMost("large_heap_bytes_per_item", (double) heap / items, 1_000));
            goals.add(measureReopen(server, items));
        }
        return goals;
    }

    private static void register(LocalNode node, int items) {
        node.register("""
                workflow: large
                steps:
                  - { id: each, with_items: "${{ range(%d) }}", concurrency: %d, uses: large, with: { n: "${{ index }}" } }
                """.formatted(items, CONCURRENCY));
        node.register("workflow: other\nsteps: [ { id: step, uses: other } ]");
    }

    /** Opens another node in the middle, which continues where the first one stopped. */
    private static Goal measureReopen(BenchDatabase server, int items) throws Exception {
        long startNanos = System.nanoTime();
        try (var node = new LocalNode(server)) {
            node.weir().query(LocalNode.ORG, (org, now) -> now).get(10, TimeUnit.MINUTES);
            double opened = (System.nanoTime() - startNanos) / 1e9;
            workUntil(node, items);
            var run = node.weir().records().findRun(LocalNode.ORG, "large-1").orElseThrow();
            System.err.printf(
                    "  opened again in %.1f s; the rest done after %.0f s, the run is %s%n",
                    opened, (System.nanoTime() - startNanos) / 1e9, run.state());
            return Goal.atMost("large_open_seconds_per_million", opened * 1e6 / items, 60);
        }
    }

    /**
     * Works on the items until the given number has ended, and starts other runs meanwhile. Returns the times that
     * those took, in milliseconds.
     */
    private static List<Double> workUntil(LocalNode node, int until) throws Exception {
        var worker = new ItemWorker(node);
        var thread = Thread.ofPlatform().start(worker);
        List<Double> durations = new ArrayList<>();
        int rounds = 0;
        while (progress(node).ended() < until) {
            durations.addAll(measureStarts(node, "beside-" + until + "-" + rounds, 50));
            rounds++;
            if (rounds % 20 == 0) {
                System.err.printf("  %s%n", progress(node));
            }
        }
        worker.stop();
        thread.join();
        return durations;
    }

    private static StepRecord.Items progress(LocalNode node) {
        StepRecord step = node.weir().records().steps(LocalNode.ORG, "large-1").getFirst();
        var items = step.items();
        return items == null ? new StepRecord.Items(0, 0, 0, 0, 0) : items;
    }

    /**
     * Starts runs of one step, one after the other. Returns the milliseconds until a waiting worker has each of them.
     */
    private static List<Double> measureStarts(LocalNode node, String name, int runs) throws Exception {
        List<Double> durations = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            String run = name + "-" + i;
            var claim = node.claim(run, "other", 1);
            long startNanos = System.nanoTime();
            var started = node.start(run, "other", 0);
            Assignment work = claim.get(120, TimeUnit.SECONDS).getFirst();
            durations.add((System.nanoTime() - startNanos) / 1e6);
            started.join();
            node.complete(work).join();
            TimeUnit.MILLISECONDS.sleep(START_INTERVAL_MILLIS);
        }
        return durations;
    }

    private static double p99(List<Double> durations) {
        double[] sorted = durations.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length * 99 / 100];
    }

    private static long usedHeap() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** A worker of the items. It completes each item as soon as it has claimed it. */
    private static final class ItemWorker implements Runnable {
        private final LocalNode node;
        private final Semaphore permits = new Semaphore(CONCURRENCY);
        private final AtomicInteger requests = new AtomicInteger();
        private volatile boolean stopped;
        private volatile CompletableFuture<List<Assignment>> openPoll = CompletableFuture.completedFuture(List.of());

        ItemWorker(LocalNode node) {
            this.node = node;
        }

        @Override
        public void run() {
            String name = "items-" + System.nanoTime() + "-";
            try {
                while (!stopped) {
                    openPoll = node.claim(name + requests.incrementAndGet(), "large", CONCURRENCY);
                    if (stopped) {
                        openPoll.cancel(true);
                    }
                    for (Assignment work : openPoll.join()) {
                        permits.acquireUninterruptibly();
                        var unused = node.complete(work).whenComplete((answer, error) -> permits.release());
                    }
                }
            } catch (CancellationException e) {
                stopped = true;
            }
            permits.acquireUninterruptibly(CONCURRENCY);
        }

        void stop() {
            stopped = true;
            openPoll.cancel(true);
        }
    }
}
