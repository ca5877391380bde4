package dev.weir.bench.database;

import dev.weir.bench.Goal;
import dev.weir.client.Client;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The CPU time and the heap that readers of the live stream cost a node while nothing changes. */
public final class StreamBench {
    private static final int READERS = 200;
    private static final double BYTES_PER_KIB = 1024;
    private static final double CPU_MILLIS_PER_SECOND_MAX = 10;
    private static final double HEAP_KIB_MAX = 64;
    private static final int READ_TIMEOUT_MILLIS = 30_000;

    private final boolean quick;

    public StreamBench(boolean quick) {
        this.quick = quick;
    }

    /** The cost of a node at rest. */
    private record Rest(double nodeMillisPerSecond, double serverMillisPerSecond, double heapKib) {}

    public List<Goal> run() throws Exception {
        try (BenchDatabase server = BenchDatabase.open();
                HttpNode node = HttpNode.start(server.address())) {
            Client.connect(node.url(), node.token())
                    .apply("plain", "workflow: plain\nsteps: [{ id: step, uses: plain }]");
            measure(server, node, "warm-up");
            Rest without = measure(server, node, "no reader");
            List<Socket> readers = open(node);
            Rest with = measure(server, node, READERS + " readers");
            for (Socket reader : readers) {
                reader.close();
            }
            double cpu = with.nodeMillisPerSecond
                    + with.serverMillisPerSecond
                    - without.nodeMillisPerSecond
                    - without.serverMillisPerSecond;
            double heap = (with.heapKib - without.heapKib) / READERS;
            return List.of(
                    Goal.atMost(
                            "idle_readers_" + READERS + "_cpu_millis_per_second",
                            Math.max(0, cpu),
                            CPU_MILLIS_PER_SECOND_MAX),
                    Goal.atMost("idle_reader_heap_kib", Math.max(0, heap), HEAP_KIB_MAX));
        }
    }

    private static List<Socket> open(HttpNode node) throws IOException {
        URI address = URI.create(node.url());
        byte[] request = ("GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + node.token()
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        List<Socket> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            var reader = new Socket(address.getHost(), address.getPort());
            readers.add(reader);
            reader.setSoTimeout(READ_TIMEOUT_MILLIS);
            reader.getOutputStream().write(request);
            String head = new String(reader.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            if (!head.equals("HTTP/1.1 200")) {
                throw new IOException("expected a stream, found " + head);
            }
        }
        return readers;
    }

    private Rest measure(BenchDatabase server, HttpNode node, String title) throws Exception {
        Duration nodeCpu = node.cpu();
        Duration serverCpu = server.cpu();
        int seconds = quick ? 5 : 60;
        TimeUnit.SECONDS.sleep(seconds);
        double nodeMillis = node.cpu().minus(nodeCpu).toNanos() / 1e6 / seconds;
        double serverMillis = server.cpu().minus(serverCpu).toNanos() / 1e6 / seconds;
        double heap = node.heapBytes() / BYTES_PER_KIB;
        System.err.printf(
                "  %s: node %.1f ms/s, PostgreSQL %.1f ms/s, heap %,.0f KiB (%s)%n",
                title, nodeMillis, serverMillis, heap, MachineLoad.describe());
        return new Rest(nodeMillis, serverMillis, heap);
    }
}
