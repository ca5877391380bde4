package dev.weir.bench.database;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.bench.Goal;
import dev.weir.engine.shard.CounterName;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The heap, the CPU time and the time to open that idle organisations cost a node. */
public final class IdleBench {
    private static final int ORGANISATIONS = 10_000;
    private static final int ROUNDS = 3;
    private static final double BYTES_PER_MIB = 1024.0 * 1024;

    private final boolean quick;

    public IdleBench(boolean quick) {
        this.quick = quick;
    }

    /** The cost of an idle node. */
    private record Idle(double heapMib, double nodeMillisPerSecond, double serverMillisPerSecond, double openMillis) {}

    public List<Goal> run() throws Exception {
        try (BenchDatabase server = BenchDatabase.open()) {
            measure(server, "warm-up");
            Idle one = measureMedian(server, "1 organisation");
            server.execute("insert into weir.organisations (name, shard)"
                    + " select 'idle-' || n, n % 256 from generate_series(1, " + ORGANISATIONS + ") as n");
            Idle many = measureMedian(server, String.format("%,d organisations", ORGANISATIONS));
            return List.of(
                    Goal.atMost("idle_organisations_heap_mib", Math.max(0, many.heapMib - one.heapMib), 1),
                    Goal.atMost(
                            "idle_organisations_cpu_millis_per_second",
                            Math.max(
                                    0,
                                    many.nodeMillisPerSecond
                                            + many.serverMillisPerSecond
                                            - one.nodeMillisPerSecond
                                            - one.serverMillisPerSecond),
                            5),
                    Goal.atMost("idle_organisations_open_millis", Math.max(0, many.openMillis - one.openMillis), 500));
        }
    }

    /** Measures several nodes one after the other, and takes the median of each figure. */
    private Idle measureMedian(BenchDatabase server, String what) throws Exception {
        List<Idle> measured = new ArrayList<>();
        for (int i = 0; i < (quick ? 1 : ROUNDS); i++) {
            measured.add(measure(server, what));
        }
        return new Idle(
                median(measured, Idle::heapMib),
                median(measured, Idle::nodeMillisPerSecond),
                median(measured, Idle::serverMillisPerSecond),
                median(measured, Idle::openMillis));
    }

    private static double median(List<Idle> measured, ToDoubleFunction<Idle> figure) {
        double[] sorted = measured.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private Idle measure(BenchDatabase server, String what) throws Exception {
        long begun = System.nanoTime();
        try (var node = new LocalNode(server)) {
            node.weir().query(LocalNode.ORG, (org, now) -> now).join();
            double openMillis = millis(System.nanoTime() - begun);
            var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long nodeCpu = machine.getProcessCpuTime();
            long serverCpu = server.cpu().toNanos();
            int seconds = quick ? 5 : 20;
            TimeUnit.SECONDS.sleep(seconds);
            double nodeMillis = millis(machine.getProcessCpuTime() - nodeCpu) / seconds;
            double serverMillis = millis(server.cpu().toNanos() - serverCpu) / seconds;
            System.gc();
            var runtime = Runtime.getRuntime();
            double heap = (runtime.totalMemory() - runtime.freeMemory()) / BYTES_PER_MIB;
            System.err.printf(
                    "  %s: heap %.1f MiB, node %.1f ms/s, PostgreSQL %.1f ms/s, opened in %.0f ms, loaded %d%n",
                    what,
                    heap,
                    nodeMillis,
                    serverMillis,
                    openMillis,
                    node.weir().counters().of(CounterName.LOADS));
            return new Idle(heap, nodeMillis, serverMillis, openMillis);
        }
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
