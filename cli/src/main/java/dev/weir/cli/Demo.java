package dev.weir.cli;

import dev.weir.client.Client;
import dev.weir.client.Job;
import dev.weir.client.RequestFailed;
import dev.weir.client.Worker;
import dev.weir.server.LocalProfile;
import dev.weir.server.ServerNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** A demonstration: an example workflow, runs of it, and a worker. It uses the API as any client does. */
final class Demo implements AutoCloseable {
    private static final Duration START_INTERVAL = Duration.ofSeconds(3);
    private static final int INITIAL_RUNS = 3;
    private static final int PARCELS = 6;
    private static final int CONCURRENCY = 16;

    /** The input of a run. */
    private record Order(long order) {}

    /** The output of the first step. */
    private record Parcels(List<String> parcels) {}

    private final Client client;
    private final Worker worker;
    private final Thread starter;

    private Demo(Client client) {
        this.client = client;
        this.worker = Worker.of(client)
                .module("demo.pack", Order.class, Demo::pack)
                .module("demo.label", Demo::label)
                .module("demo.ship", Demo::label)
                .name("demo")
                .concurrency(CONCURRENCY)
                .start();
        this.starter = Thread.ofPlatform().daemon().name("weir demo").unstarted(this::startRuns);
    }

    static Demo start(ServerNode node) throws IOException, InterruptedException {
        String token = LocalProfile.find(node.data()).orElseThrow().token();
        var demo = new Demo(Client.connect(node.url(), token));
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
        client.start("demo", null, new Order(System.nanoTime() % 10_000));
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

    private static Parcels pack(Order order, Job unused) throws InterruptedException {
        Thread.sleep(200);
        return new Parcels(IntStream.rangeClosed(1, PARCELS)
                .mapToObj(i -> "parcel " + i + " of order " + order.order())
                .toList());
    }

    private static Object label(Job step) throws InterruptedException {
        Thread.sleep(400);
        return step.input(Object.class);
    }

    @Override
    public void close() {
        starter.interrupt();
        worker.close();
    }
}
