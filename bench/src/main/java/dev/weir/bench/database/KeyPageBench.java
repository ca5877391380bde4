package dev.weir.bench.database;

import dev.weir.bench.Goal;
import dev.weir.engine.KeyPages;
import dev.weir.engine.KeyPages.PageQuery;
import dev.weir.engine.KeyPages.Sort;
import dev.weir.engine.request.StartOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The time that a page of a list of very many keys takes for its caller, and the longest time for which it keeps the
 * shard's loop from others.
 */
public final class KeyPageBench {
    private static final int BATCH = 1_000;
    private static final int PAGE = 50;
    private static final String KEYED = """
            workflow: keyed
            flow_control: { key: "key-${{ input.key }}", parallelism: 1 }
            steps: [ { id: step, uses: keyed } ]
            """;

    private final boolean quick;

    public KeyPageBench(boolean quick) {
        this.quick = quick;
    }

    public List<Goal> run() throws Exception {
        int keys = quick ? 10_000 : 100_000;
        int pages = quick ? 10 : 30;
        try (BenchDatabase server = BenchDatabase.open();
                var node = new LocalNode(server)) {
            node.register(KEYED);
            startRuns(node, keys);
            List<Goal> goals = new ArrayList<>();
            for (Sort sort : Sort.values()) {
                double[] durations = new double[pages];
                for (int i = 0; i < pages; i++) {
                    // A new list has no summaries yet, so that each page is the first one of its caller.
                    long startNanos = System.nanoTime();
                    var page = new KeyPages(node.weir()).page(LocalNode.ORG, new PageQuery("", null, sort, null, PAGE));
                    durations[i] = (System.nanoTime() - startNanos) / 1e6;
                    if (page.totals().keys() != keys || page.keys().size() != PAGE) {
                        throw new IllegalStateException("expected " + keys + " keys, found " + page.totals());
                    }
                }
                Arrays.sort(durations);
                System.err.printf(
                        "  page of %,d keys by %s: p50 %.1f ms, max %.1f ms%n",
                        keys, sort, durations[pages / 2], durations[pages - 1]);
                goals.add(Goal.atMost(
                        "key_page_p50_millis_" + keys + "_keys_by_"
                                + sort.name().toLowerCase(java.util.Locale.ROOT),
                        durations[pages / 2],
                        100));
            }
            goals.add(loopDelay(node, keys));
            return goals;
        }
    }

    private static void startRuns(LocalNode node, int keys) {
        System.err.printf("  starting %,d runs, each with a key of its own%n", keys);
        for (int from = 0; from < keys; from += BATCH) {
            List<CompletableFuture<StartOutcome>> started = new ArrayList<>();
            for (int i = from; i < Math.min(keys, from + BATCH); i++) {
                started.add(node.start("run-" + i, "keyed", i));
            }
            started.forEach(CompletableFuture::join);
        }
    }

    /** Measures the queries of another caller while pages are read without pause. */
    private static Goal loopDelay(LocalNode node, int keys) throws Exception {
        var reader = CompletableFuture.supplyAsync(() -> {
            int read = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            try {
                for (; System.nanoTime() < end; read++) {
                    new KeyPages(node.weir()).page(LocalNode.ORG, new PageQuery("", null, Sort.FULLEST, null, PAGE));
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return read;
        });
        List<Double> durations = new ArrayList<>();
        while (!reader.isDone()) {
            long startNanos = System.nanoTime();
            node.weir().query(LocalNode.ORG, (org, now) -> now).join();
            durations.add((System.nanoTime() - startNanos) / 1e6);
        }
        durations.sort(null);
        double p99 = durations.get(durations.size() * 99 / 100);
        System.err.printf(
                "  beside %d pages of %,d keys, another query takes: p50 %.2f ms, p99 %.2f ms, max %.2f ms%n",
                reader.get(), keys, durations.get(durations.size() / 2), p99, durations.getLast());
        return Goal.atMost("query_beside_key_pages_p99_millis", p99, 20);
    }
}
