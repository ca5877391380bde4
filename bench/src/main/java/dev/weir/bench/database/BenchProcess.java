package dev.weir.bench.database;

import dev.weir.bench.SeparateProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One side of a comparison, in a process and with a database of its own. It runs a round on request, so that two sides
 * that cannot share a heap alternate, and any disturbance of the machine affects both.
 */
final class BenchProcess implements AutoCloseable {
    private final Process process;
    private final PrintStream requests;
    private final BufferedReader responses;

    private BenchProcess(Process process) {
        this.process = process;
        this.requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a side that has the given number of waiting runs. It prepares itself in the background. */
    static BenchProcess startWithWaiting(int waiting, int jobs) throws IOException {
        return new BenchProcess(
                SeparateProcess.start(BenchProcess.class, List.of(Integer.toString(waiting), Integer.toString(jobs))));
    }

    /** Waits until the side is ready. */
    void awaitReady() throws IOException {
        String unused = readResponse();
    }

    Round round() throws IOException {
        requests.println();
        return Round.parse(readResponse());
    }

    private String readResponse() throws IOException {
        String line = responses.readLine();
        if (line == null) {
            throw new IOException("expected an answer of the other process, found its end; what it said is above");
        }
        return line;
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

    /** Runs one side. The arguments are the number of waiting runs and the number of jobs in a round. */
    public static void main(String[] arguments) throws Exception {
        int waiting = Integer.parseInt(arguments[0]);
        int jobs = Integer.parseInt(arguments[1]);
        try (BenchDatabase server = BenchDatabase.open();
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1);
                var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = 0; i < WaitingBench.WARM_UP_ROUNDS; i++) {
                weir.run(jobs);
            }
            weir.startOnly(waiting);
            for (int i = 0; i < WaitingBench.SETTLING_ROUNDS; i++) {
                weir.run(jobs);
            }
            System.out.println("ready");
            while (input.readLine() != null) {
                System.out.println(Round.measure(server, weir, jobs).toLine());
            }
        }
    }
}
