package dev.weir.bench.database;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The figures of one round of a contender.
 *
 * @param perSecond jobs per second
 * @param walBytes bytes of write-ahead log per job
 * @param serverMicros CPU time of PostgreSQL per job, in microseconds
 * @param ownMicros CPU time of this process per job, in microseconds
 */
record Round(double perSecond, double walBytes, double serverMicros, double ownMicros) {
    /** Runs a contender for one round, and checks that all jobs were really done. */
    static Round measure(BenchDatabase server, Contender contender, int jobs) throws Exception {
        long before = contender.done();
        long wal = server.walBytes();
        Duration cpu = server.cpu();
        Duration own = ownCpu();
        long startNanos = System.nanoTime();
        contender.run(jobs);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        double ownMicros = micros(ownCpu().minus(own)) / jobs;
        double serverMicros = micros(server.cpu().minus(cpu)) / jobs;
        double bytes = (double) (server.walBytes() - wal) / jobs;
        long done = contender.done() - before;
        if (done != jobs) {
            throw new IllegalStateException(
                    contender.name() + ": expected " + jobs + " jobs done in the rows, found " + done);
        }
        return new Round(jobs / seconds, bytes, serverMicros, ownMicros);
    }

    /** Formats all figures in one line, for another process. */
    String toLine() {
        return perSecond + " " + walBytes + " " + serverMicros + " " + ownMicros;
    }

    static Round parse(String text) {
        double[] figures =
                Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
        return new Round(figures[0], figures[1], figures[2], figures[3]);
    }

    static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return sorted.length % 2 == 1
                ? sorted[sorted.length / 2]
                : Arrays.stream(sorted, sorted.length / 2 - 1, sorted.length / 2 + 1)
                        .average()
                        .orElseThrow();
    }

    /** CPU time of both processes per job, in microseconds. */
    double cpuMicros() {
        return serverMicros + ownMicros;
    }

    private static Duration ownCpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static double micros(Duration duration) {
        return duration.toNanos() / 1e3;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,.0f a second, %,.0f bytes of log, %.1f µs of PostgreSQL and %.1f µs of this process for each",
                perSecond,
                walBytes,
                serverMicros,
                ownMicros);
    }
}
