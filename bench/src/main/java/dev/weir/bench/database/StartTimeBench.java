package dev.weir.bench.database;

import dev.weir.bench.Goal;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The time that the command line takes to start, and the time from the start of a node that was killed until it is
 * ready. Both use the launcher of this checkout, as users do.
 */
public final class StartTimeBench {
    private static final double COMMAND_MILLIS_AIM = 400;
    private static final double RESTART_MILLIS_AIM = 2_500;
    private static final long READY_TIMEOUT_SECONDS = 120;
    private static final int POLL_MILLIS = 10;
    private static final int OK = 200;

    private final boolean quick;
    private final String launcher;

    public StartTimeBench(boolean quick) throws URISyntaxException {
        this.quick = quick;
        Path jar = Path.of(StartTimeBench.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        // The jar is bench/target/weir-bench.jar of the checkout.
        this.launcher = jar.resolve("../../../weir").normalize().toString();
    }

    public List<Goal> run() throws Exception {
        execute();
        double[] commands = new double[quick ? 5 : 15];
        for (int i = 0; i < commands.length; i++) {
            long startNanos = System.nanoTime();
            execute();
            commands[i] = (System.nanoTime() - startNanos) / 1e6;
        }
        double[] restarts = restarts(quick ? 3 : 9);
        System.err.printf(
                "  weir --version: %s ms; killed node until ready: %s ms (%s)%n",
                describe(commands), describe(restarts), MachineLoad.describe());
        return List.of(
                Goal.atMost("command_start_p50_millis", commands[commands.length / 2], COMMAND_MILLIS_AIM),
                Goal.atMost("restart_p50_millis", restarts[restarts.length / 2], RESTART_MILLIS_AIM));
    }

    private static String describe(double[] millis) {
        Arrays.sort(millis);
        return String.format("p50 %.0f, max %.0f", millis[millis.length / 2], millis[millis.length - 1]);
    }

    private void execute() throws IOException, InterruptedException {
        Process process = start(List.of("--version"));
        process.getOutputStream().close();
        process.getInputStream().readAllBytes();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("expected exit code 0 of " + launcher + ", found " + code);
        }
    }

    /** Kills a node again and again, and measures how long each new one takes until it is ready. */
    private double[] restarts(int count) throws Exception {
        Path data = Files.createTempDirectory("weir-bench-start");
        List<String> up = List.of("up", "--data", data.toString(), "--port", Integer.toString(freePort()));
        URI ready = URI.create("http://127.0.0.1:" + up.getLast() + "/health/ready");
        double[] millis = new double[count];
        Process node = start(up);
        try {
            awaitReady(ready, node);
            for (int i = 0; i < count; i++) {
                node.destroyForcibly().waitFor();
                long startNanos = System.nanoTime();
                node = start(up);
                awaitReady(ready, node);
                millis[i] = (System.nanoTime() - startNanos) / 1e6;
            }
        } finally {
            node.destroy();
            node.waitFor();
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        return millis;
    }

    private Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher));
        command.addAll(arguments);
        boolean isNode = arguments.size() > 1;
        return new ProcessBuilder(command)
                .redirectOutput(isNode ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.PIPE)
                .redirectError(isNode ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitReady(URI ready, Process node) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_TIMEOUT_SECONDS);
        while (!isReady(ready)) {
            if (!node.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("expected a node that becomes ready at " + ready + ", found none");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static boolean isReady(URI ready) {
        try {
            var connection = (HttpURLConnection) ready.toURL().openConnection();
            int status = connection.getResponseCode();
            connection.disconnect();
            return status == OK;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
