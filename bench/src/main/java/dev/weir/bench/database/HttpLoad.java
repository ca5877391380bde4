package dev.weir.bench.database;

import dev.weir.bench.SeparateProcess;
import dev.weir.client.Client;
import dev.weir.client.RunStarter;
import dev.weir.client.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The load of a node over HTTP, in a process of its own: a program that starts runs, and a worker. */
final class HttpLoad implements AutoCloseable {
    private static final int STARTING_THREADS = 64;
    private static final int SMALL_WORKER = 200;
    private static final int LARGE_WORKER = 500;
    private static final int CONNECTIONS = 64;

    private final Process process;
    private final PrintStream requests;
    private final BufferedReader responses;

    private HttpLoad(Process process) {
        this.process = process;
        this.requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    static HttpLoad start(HttpNode node) throws IOException {
        return new HttpLoad(SeparateProcess.start(HttpLoad.class, List.of(node.url(), node.token())));
    }

    /** A kind of load. */
    enum Kind {
        /** Runs that a starter starts in batches; a worker of 500 does them. */
        BATCHED,
        /** Runs that 64 threads start, one in each request; a worker of 200 does them. */
        SINGLE,
        /** Starts, one in each request, by 64 raw connections; nobody works. */
        RAW_STARTS,
        /** Requests to the health path by 64 raw connections. */
        RAW_HEALTH
    }

    /**
     * The figures of one round.
     *
     * @param perSecond jobs per second
     * @param clientMicros CPU time of this process per job, in microseconds
     */
    record LoadRound(double perSecond, double clientMicros) {}

    /** Runs one round. Returns after its last job. */
    LoadRound run(Kind kind, int jobs) throws IOException {
        requests.println(kind + " " + jobs);
        String line = responses.readLine();
        if (line == null) {
            throw new IOException("expected figures of the load, found the end of its process; what it said is above");
        }
        String[] words = line.split(" ", -1);
        return new LoadRound(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
    }

    @Override
    public void close() {
        // The process ends at the end of its input.
        requests.close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }

    /** Runs rounds on request. The arguments are the URL of the node and an API token. */
    public static void main(String[] arguments) throws Exception {
        var load = new Rounds(arguments[0], arguments[1]);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            int jobs = Integer.parseInt(words[1]);
            Duration cpu = cpu();
            long startedAt = System.nanoTime();
            load.run(Kind.valueOf(words[0]), jobs);
            double seconds = (System.nanoTime() - startedAt) / 1e9;
            System.out.println(jobs / seconds + " " + cpu().minus(cpu).toNanos() / 1e3 / jobs);
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The rounds, inside the process of the load. */
    private static final class Rounds {
        private static final JsonNode PAYLOAD = JsonMapper.shared().readTree(Payload.JSON);

        private final String url;
        private final String token;
        private final Client client;
        private final AtomicInteger next = new AtomicInteger();

        Rounds(String url, String token) throws InterruptedException {
            this.url = url;
            this.token = token;
            this.client = Client.connect(url, token);
            for (String workflow : List.of("plain", "raw")) {
                client.apply(workflow, """
                        workflow: %s
                        steps:
                          - id: step
                            uses: %s
                            with: { text: "${{ input.text }}" }
                        """.formatted(workflow, workflow));
            }
        }

        void run(Kind kind, int jobs) throws Exception {
            switch (kind) {
                case BATCHED -> {
                    try (Worker worker = worker(LARGE_WORKER);
                            RunStarter starter = client.starter()) {
                        startBatched(starter, jobs);
                        worker.awaitReports(jobs);
                    }
                }
                case SINGLE -> {
                    try (Worker worker = worker(SMALL_WORKER)) {
                        startSingly(jobs);
                        worker.awaitReports(jobs);
                    }
                }
                case RAW_STARTS -> raw("POST", "/v1/runs", jobs);
                case RAW_HEALTH -> raw("GET", "/health/live", jobs);
            }
        }

        private Worker worker(int concurrency) {
            return Worker.of(client)
                    .module("plain", step -> PAYLOAD)
                    .concurrency(concurrency)
                    .lease(Duration.ofMinutes(1))
                    .onTrouble(message -> System.err.println("  worker: " + message))
                    .start();
        }

        private void startBatched(RunStarter starter, int jobs) throws Exception {
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                answers.add(starter.start("plain", "plain-" + next.incrementAndGet(), PAYLOAD));
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get();
        }

        private void startSingly(int jobs) throws Exception {
            var left = new AtomicInteger(jobs);
            try (var threads = Executors.newFixedThreadPool(STARTING_THREADS)) {
                List<Future<?>> done = new ArrayList<>();
                for (int i = 0; i < STARTING_THREADS; i++) {
                    done.add(threads.submit(() -> {
                        while (left.getAndDecrement() > 0) {
                            client.start("plain", "plain-" + next.incrementAndGet(), PAYLOAD);
                        }
                        return true;
                    }));
                }
                for (Future<?> each : done) {
                    each.get();
                }
            }
        }

        private void raw(String method, String path, int requests) throws Exception {
            RawConnections.run(url, CONNECTIONS, requests, () -> request(method, path));
        }

        private byte[] request(String method, String path) {
            String body = method.equals("GET")
                    ? ""
                    : "{\"workflow\":\"raw\",\"id\":\"raw-" + next.incrementAndGet() + "\",\"input\":" + Payload.JSON
                            + "}";
            String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
            return (head + body).getBytes(StandardCharsets.US_ASCII);
        }
    }
}
