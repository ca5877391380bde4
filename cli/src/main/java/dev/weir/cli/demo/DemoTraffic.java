package dev.weir.cli.demo;

import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/**
 * The runs of the demonstration. Orders arrive in a burst at the start of each minute, slightly fewer than the payment
 * provider accepts in a minute, so that a queue builds up and drains again.
 */
final class DemoTraffic implements AutoCloseable {
    private static final List<String> TENANTS = List.of("acme", "acme", "acme", "globex", "globex", "initech");
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MINUTE = 60;
    private static final int BURST = 18;
    private static final int FIRST_ORDERS = 30;
    private static final int BATCH_AT = 20;
    private static final int SMALL_BATCH = 40;
    private static final int LARGE_BATCH = 90;
    /** Every fourth batch is a large one. */
    private static final int LARGE_EVERY = 4;
    /** The first number of an order that is not one of the two special ones. */
    private static final int FIRST_NUMBER = 10_000;

    private static final int NUMBERS = 80_000;

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
        thread.start();
    }

    private record Order(int order, String tenant, double total, String card) {}

    private record Batch(String batch, int photos) {}

    private record Report(String tenant) {}

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
                if (second % MINUTE < BURST) {
                    startOrder();
                }
                if (second % MINUTE == BATCH_AT) {
                    startBatch();
                }
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            } catch (RequestFailed e) {
                // The node is busy or closing; the next start may succeed.
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
