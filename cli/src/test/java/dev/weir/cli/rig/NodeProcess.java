package dev.weir.cli.rig;

import dev.weir.cli.Main;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.RequestFailed;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A node in a process of its own, started with {@code weir up}. */
public final class NodeProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final int END_MAX_SECONDS = 20;
    private static final int LOG_CHARS_SHOWN = 4_000;

    private final Process process;
    private final NodeLaunch launch;
    private final long startedAt = System.nanoTime();
    private final Thread shutdownHook;

    /**
     * The files, the port and the arguments of a node.
     *
     * @param extraArguments arguments besides those for files and port
     */
    public record NodeLaunch(
            Path data, Path log, int port, List<String> extraArguments, Map<String, String> environment) {
        public String url() {
            return "http://127.0.0.1:" + port;
        }
    }

    private NodeProcess(NodeLaunch launch) throws IOException {
        this.launch = launch;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "up",
                "--data",
                launch.data.toString(),
                "--port",
                String.valueOf(launch.port)));
        command.addAll(launch.extraArguments);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(launch.log.toFile()));
        builder.environment().putAll(launch.environment);
        this.process = builder.start();
        this.shutdownHook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    public static NodeProcess start(NodeLaunch launch) throws IOException {
        return new NodeProcess(launch);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the node is ready, and returns the time since its start. */
    public Duration awaitReady() {
        var probe = new Client(Connection.to(launch.url(), "probe").withRetryTimeout(Duration.ZERO));
        Awaitility.await("a node that answers")
                .atMost(START_MAX)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> isReady(probe));
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    private boolean isReady(Client probe) throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("the node has ended by itself; its log ends with:\n" + logEnd());
        }
        try {
            return !probe.health().status().equals("unavailable");
        } catch (RequestFailed.Unreachable e) {
            return false;
        }
    }

    public String logEnd() throws IOException {
        String log = Files.readString(launch.log);
        return log.substring(Math.max(0, log.length() - LOG_CHARS_SHOWN));
    }

    /** Kills the node as a crash would: the operating system gives it no chance to do anything more. */
    public void kill() {
        process.destroyForcibly();
        if (!awaitEnd()) {
            throw new AssertionError("process " + process.pid() + " did not end");
        }
    }

    private boolean awaitEnd() {
        try {
            return process.waitFor(END_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /** Stops the node gracefully, and kills it if it does not end. */
    @Override
    public void close() {
        process.destroy();
        if (!awaitEnd()) {
            kill();
        }
        Runtime.getRuntime().removeShutdownHook(shutdownHook);
    }
}
