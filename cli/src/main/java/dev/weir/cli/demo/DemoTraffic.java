package dev.weir.cli.demo;

import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Keys.PinRequest;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The runs of the demonstration. Orders arrive in a burst at the start of each minute, a few more than the payment
 * provider accepts in a minute, so that a queue builds up. No order arrives while the queue is long, so that it stays
 * bounded, also while somebody has paused a key, a workflow or the worker.
 */
final class DemoTraffic implements AutoCloseable {
    private static final List<String> TENANTS = List.of("acme", "acme", "acme", "globex", "globex", "initech");
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MINUTE = 60;
    private static final int BURST = 24;
    private static final int FIRST_ORDERS = 30;
    /** The number of orders that wait for the payment provider at which no more arrive. */
    private static final int WAITING_ORDERS_MAX = 40;
    /** The number of photos that wait for a graphics card at which no more batches arrive. */
    private static final int WAITING_PHOTOS_MAX = 20;
    /** The number of runs that wait to start at which no more arrive. */
    private static final int QUEUED_RUNS_MAX = 20;

    private static final int BATCH_AT = 20;
    private static final int SMALL_BATCH = 40;
    private static final int LARGE_BATCH = 90;
    /** Every fourth batch is a large one. */
    private static final int LARGE_EVERY = 4;
    /** The first number of an order that is not one of the two special ones. */
    private static final int FIRST_NUMBER = 10_000;

    private static final int NUMBERS = 80_000;
    private static final String PAYMENTS = "payment-api";
    private static final String GRAPHICS_CARDS = "gpu-pool";
    private static final int NOT_FOUND = 404;

    private final Client client;
    private final Thread thread = Thread.ofPlatform().daemon().name("weir demo").unstarted(this::keepStarting);
    /** Orders of an earlier demonstration in the same store have other numbers. */
    private int nextOrder =
            FIRST_NUMBER + (int) (Duration.ofMillis(System.currentTimeMillis()).toSeconds() % NUMBERS);

    private int nextBatch;

    DemoTraffic(Client client) {
        this.client = client;
    }

    /** Starts the first runs: one waits for an approval, one fails, and the payments of the others fill their key. */
    void begin() throws InterruptedException {
        client.start("order_fulfillment", "order-1001", new Order(1001, "globex", 1_250, "valid"));
        client.start("order_fulfillment", "order-1002", new Order(1002, "initech", 89, "declined"));
        for (int i = 0; i < FIRST_ORDERS; i++) {
            startOrder();
        }
        startBatch();
        for (String tenant : new TreeSet<>(TENANTS)) {
            client.start("tenant_report", null, new Report(tenant));
        }
        pinPrinters();
        sendIncompleteEvent();
        thread.start();
    }

    private record Order(int order, String tenant, double total, String card) {}

    private record Batch(String batch, int photos) {}

    private record Report(String tenant) {}

    /** Leaves an operator's change in the audit. Repeating it changes nothing. */
    private void pinPrinters() throws InterruptedException {
        PinRequest two = PinRequest.of("label-printer", 2, null, null);
        client.pin(
                new PinRequest(two.key(), "the third printer is in repair", null, two.parallelism(), null, null, null));
    }

    /** Sends an event from which the trigger of the reports cannot start a run, so that it becomes a dead letter. */
    private void sendIncompleteEvent() throws InterruptedException {
        var data = JsonNodeFactory.instance.objectNode().put("order", 998).put("total", 640);
        client.events().send(SendEventRequest.of("shipped-998", "order.shipped", data));
    }

    private void startOrder() throws InterruptedException {
        int number = nextOrder++;
        String tenant = TENANTS.get(number % TENANTS.size());
        client.start("order_fulfillment", "order-" + number, new Order(number, tenant, 20 + number % 400, "valid"));
    }

    private void startBatch() throws InterruptedException {
        int photos = ++nextBatch % LARGE_EVERY == 0 ? LARGE_BATCH : SMALL_BATCH;
        String name = "catalogue-" + nextOrder + "-" + nextBatch;
        client.start("image_batch", name, new Batch(name, photos));
    }

    private void keepStarting() {
        for (int second = 0; ; second++) {
            try {
                Thread.sleep(PAUSE);
                startWhatArrives(second % MINUTE);
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            } catch (RequestFailed e) {
                // The node is busy or closing; the next start may succeed.
            }
        }
    }

    private void startWhatArrives(int second) throws InterruptedException {
        boolean hasOrder = second < BURST;
        boolean hasBatch = second == BATCH_AT;
        if ((!hasOrder && !hasBatch) || client.operations().snapshot().waiting() >= QUEUED_RUNS_MAX) {
            return;
        }
        if (hasOrder && waiting(PAYMENTS) < WAITING_ORDERS_MAX) {
            startOrder();
        }
        if (hasBatch && waiting(GRAPHICS_CARDS) < WAITING_PHOTOS_MAX) {
            startBatch();
        }
    }

    private int waiting(String key) throws InterruptedException {
        try {
            return client.key(key).waiting();
        } catch (RequestFailed.Refused e) {
            if (e.problem().status() == NOT_FOUND) {
                return 0;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
