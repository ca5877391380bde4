package dev.weir.bench.database;

import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.bench.Goal;
import dev.weir.client.Client;
import dev.weir.client.RunStarter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The time and the size of what each page of the console asks of a node with very many keys and waiting steps. Each page
 * repeats these requests every two seconds, so that the size is also the size of an update.
 */
public final class ConsoleBench {
    private static final int ITEMS = 10;
    private static final int BATCH = 2_000;
    private static final int CLAIMS = 500;
    private static final double PAGE_SECONDS_MAX = 1;
    private static final double UPDATE_KIB_MAX = 100;
    private static final String WORKFLOW = """
            workflow: keyed
            runtime: { max_parallel: 10 }
            steps:
              - id: part
                with_items: "${{ range(10) }}"
                concurrency: 10
                uses: keyed
                flow_control: { key: "key-${{ input.key }}", parallelism: 1, rate: 10, period: 1h }
            """;

    /** The requests of each page, as the console sends them. */
    private static final Map<String, List<String>> PAGES = pages();

    private final boolean quick;

    public ConsoleBench(boolean quick) {
        this.quick = quick;
    }

    private static Map<String, List<String>> pages() {
        Map<String, List<String>> pages = new LinkedHashMap<>();
        pages.put(
                "overview",
                List.of(
                        "/v1/keys?sort=waiting&state=waiting&limit=5&details=true",
                        "/v1/keys?sort=oldest&limit=1",
                        "/v1/keys?sort=fullest&limit=6",
                        "/v1/keys/holders?key=key-7&limit=2",
                        "/v1/modules?limit=200",
                        "/v1/org/snapshot",
                        "/v1/notices?state=open&limit=5",
                        "/v1/dead-letters?state=open&limit=5",
                        "/v1/runs?state=failed&limit=5"));
        pages.put("flow_control", List.of("/v1/keys?sort=waiting&limit=50&details=true"));
        pages.put(
                "key",
                List.of(
                        "/v1/keys?key=key-7&details=true",
                        "/v1/keys/holders?key=key-7&limit=50",
                        "/v1/keys/waitlist?key=key-7&limit=50",
                        "/v1/keys/history?key=key-7"));
        pages.put("runs", List.of("/v1/runs?limit=100"));
        pages.put("run", List.of("/v1/runs/run-7", "/v1/runs/run-7/why", "/v1/runs/run-7/steps/part/why"));
        pages.put("workers", List.of("/v1/modules?limit=100", "/v1/workers?limit=100"));
        return pages;
    }

    public List<Goal> run() throws Exception {
        int runs = quick ? 10_000 : 100_000;
        int rounds = quick ? 5 : 15;
        try (BenchDatabase server = BenchDatabase.open();
                HttpNode node = HttpNode.start(server.address())) {
            Client client = Client.connect(node.url(), node.token());
            client.apply("keyed", WORKFLOW);
            startRuns(client, runs);
            holdKeys(client, runs);
            List<Goal> goals = new ArrayList<>();
            try (HttpClient http = HttpClient.newHttpClient()) {
                for (var page : PAGES.entrySet()) {
                    goals.addAll(measure(page.getKey(), page.getValue(), http, node, rounds));
                }
            }
            return goals;
        }
    }

    private static void startRuns(Client client, int runs) throws Exception {
        System.err.printf("  starting %,d runs with %d steps each, all with keys of their own%n", runs, ITEMS);
        try (RunStarter starter = client.starter()) {
            for (int from = 0; from < runs; from += BATCH) {
                List<CompletableFuture<?>> started = new ArrayList<>();
                for (int i = from; i < Math.min(runs, from + BATCH); i++) {
                    started.add(starter.start("keyed", "run-" + i, Map.of("key", i)));
                }
                CompletableFuture.allOf(started.toArray(CompletableFuture[]::new))
                        .get();
            }
        }
    }

    /** Claims one step of each key, so that the others wait for it. */
    private static void holdKeys(Client client, int keys) throws InterruptedException {
        int held = 0;
        while (held < keys) {
            var request = new ClaimRequest(
                    List.of(ModuleInfo.of("keyed")),
                    null,
                    null,
                    CLAIMS,
                    "5s",
                    "1h",
                    UUID.randomUUID().toString(),
                    "bench");
            int claimed = client.claim(request).claims().size();
            if (claimed == 0) {
                throw new IllegalStateException("expected work for " + keys + " keys, found " + held);
            }
            held += claimed;
        }
    }

    private static List<Goal> measure(String page, List<String> paths, HttpClient http, HttpNode node, int rounds)
            throws Exception {
        double[] seconds = new double[rounds];
        long bytes = 0;
        for (int i = 0; i < rounds; i++) {
            long startNanos = System.nanoTime();
            bytes = 0;
            for (String path : paths) {
                bytes += size(http, node, path);
            }
            seconds[i] = (System.nanoTime() - startNanos) / 1e9;
        }
        Arrays.sort(seconds);
        System.err.printf(
                "  %s: p50 %.0f ms, max %.0f ms, %,d bytes%n",
                page, seconds[rounds / 2] * 1e3, seconds[rounds - 1] * 1e3, bytes);
        return List.of(
                Goal.atMost("console_" + page + "_p50_seconds", seconds[rounds / 2], PAGE_SECONDS_MAX),
                Goal.atMost("console_" + page + "_update_kib", bytes / 1024.0, UPDATE_KIB_MAX));
    }

    private static long size(HttpClient http, HttpNode node, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(node.url() + path))
                .header("Authorization", "Bearer " + node.token())
                .timeout(Duration.ofSeconds(30))
                .build();
        var response = http.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(path + ": expected status 200, found " + response.statusCode() + " "
                    + new String(response.body(), java.nio.charset.StandardCharsets.UTF_8));
        }
        return response.body().length;
    }
}
