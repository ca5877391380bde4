package dev.weir.cli;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.Handler;
import dev.weir.client.Job;
import dev.weir.client.RequestFailed;
import dev.weir.client.Worker;
import dev.weir.client.WorkerSettings;
import dev.weir.server.LocalProfile;
import dev.weir.server.ServerNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A demonstration: an example workflow, runs of it, and a worker. It uses the API as any client does. */
final class Demo implements AutoCloseable {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Duration START_INTERVAL = Duration.ofSeconds(3);
    private static final int INITIAL_RUNS = 3;
    private static final int PARCELS = 6;
    private static final int CONCURRENCY = 16;

    private final Client client;
    private final Worker worker;
    private final Thread starter;

    private Demo(Client client) {
        this.client = client;
        Map<String, Handler> modules =
                Map.of("demo.pack", Demo::pack, "demo.label", Demo::label, "demo.ship", Demo::label);
        this.worker = Worker.start(client, modules, WorkerSettings.named("demo").withConcurrency(CONCURRENCY));
        this.starter = Thread.ofPlatform().daemon().name("weir demo").unstarted(this::startRuns);
    }

    static Demo start(ServerNode node) throws IOException, InterruptedException {
        String token = LocalProfile.find(node.data()).orElseThrow().token();
        var demo = new Demo(new Client(Connection.to(node.url(), token)));
        try {
            demo.client.apply("demo", definition());
            for (int i = 0; i < INITIAL_RUNS; i++) {
                demo.startRun();
            }
            demo.starter.start();
            return demo;
        } catch (IOException | InterruptedException | RuntimeException e) {
            demo.close();
            throw e;
        }
    }

    private static String definition() throws IOException {
        try (var in = Objects.requireNonNull(Demo.class.getResourceAsStream("demo.yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void startRun() throws InterruptedException {
        JsonNode input = NODES.objectNode().put("order", System.nanoTime() % 10_000);
        client.start(StartRunRequest.of("demo", null, input));
    }

    private void startRuns() {
        while (true) {
            try {
                Thread.sleep(START_INTERVAL);
                startRun();
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            } catch (RequestFailed e) {
                // The node is busy or closing; the next start may succeed.
            }
        }
    }

    private static JsonNode pack(Job job) throws InterruptedException {
        Thread.sleep(200);
        var parcels = NODES.arrayNode();
        for (int i = 1; i <= PARCELS; i++) {
            parcels.add("parcel " + i + " of order " + job.input().path("order"));
        }
        return NODES.objectNode().set("parcels", parcels);
    }

    private static @Nullable JsonNode label(Job job) throws InterruptedException {
        Thread.sleep(400);
        return job.input();
    }

    @Override
    public void close() {
        starter.interrupt();
        worker.close();
    }
}
