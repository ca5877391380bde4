package dev.weir.bench.database;

import dev.weir.bench.Apart;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One side of a comparison in a process of its own, with a database of its own, which runs a round whenever it is told to.
 * So two sides that cannot share a heap take turns, and what disturbs the machine disturbs both.
 */
final class Side implements AutoCloseable {
    private final Process process;
    private final PrintStream asks;
    private final BufferedReader answers;

    private Side(Process process) {
        this.process = process;
        this.asks = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a side behind so many runs that wait. It gets ready by itself. */
    static Side behind(int waiting, int jobs) throws IOException {
        return new Side(Apart.start(Side.class, List.of(Integer.toString(waiting), Integer.toString(jobs))));
    }

    /** Waits until it is ready. */
    void awaitReady() throws IOException {
        String unused = answer();
    }

    Round round() throws IOException {
        asks.println();
        return Round.parse(answer());
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("expected an answer of the other process, found its end; what it said is above");
        }
        return line;
    }

    @Override
    public void close() {
        // It ends when there is nobody left to tell it to go on.
        asks.close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }

    /** The process of a side: how many wait, and how many jobs a round has. */
    public static void main(String[] arguments) throws Exception {
        int waiting = Integer.parseInt(arguments[0]);
        int jobs = Integer.parseInt(arguments[1]);
        try (Server server = Server.open();
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1);
                var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = 0; i < Waiting.WARM_UPS; i++) {
                weir.run(jobs);
            }
            weir.startOnly(waiting);
            for (int i = 0; i < Waiting.SETTLING; i++) {
                weir.run(jobs);
            }
            System.out.println("ready");
            while (asked.readLine() != null) {
                System.out.println(Round.of(server, weir, jobs).text());
            }
        }
    }
}
