package dev.weir.postgres.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. It is started under a watchdog, so that it ends with this process, however that one ends. */
final class Postmaster {
    static final String HOST = "127.0.0.1";

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final int PORT_ATTEMPTS_MAX = 5;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    /** The interval of the messages that a server still replays its log. */
    private static final Duration RECOVERY_LOG_INTERVAL = Duration.ofSeconds(10);

    private static final int STATUS_LINE = 7;
    private static final String READY = "ready";
    private static final Set<String> RECOVERING = Set.of("starting", "standby");
    private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
    private static final int MILLIS_PER_TENTH = 100;

    private final ClusterFiles cluster;
    private final EmbeddedSettings settings;
    private final int port;
    private final Process process;
    private final long pid;

    /** A failed start. It says whether another port could help. */
    private static final class StartFailed extends Exception {
        private static final long serialVersionUID = 1;
        private final String message;
        private final boolean portTaken;

        StartFailed(String message, boolean portTaken) {
            super(message);
            this.message = message;
            this.portTaken = portTaken;
        }
    }

    private Postmaster(ClusterFiles cluster, EmbeddedSettings settings, int port) throws IOException, StartFailed {
        this.cluster = cluster;
        this.settings = settings;
        this.port = port;
        var logStart = Files.size(cluster.home().log());
        process = launch();
        try {
            pid = awaitReady(logStart);
        } catch (IOException | StartFailed | RuntimeException e) {
            stop();
            throw e;
        }
    }

    /** Starts the server, and waits until it accepts connections. */
    static Postmaster start(ClusterFiles cluster, EmbeddedSettings settings) throws IOException {
        for (int attemptsLeft = PORT_ATTEMPTS_MAX; ; attemptsLeft--) {
            try {
                var isAnyPort = settings.port() == EmbeddedSettings.ANY_PORT;
                return new Postmaster(cluster, settings, isAnyPort ? freePort() : settings.port());
            } catch (StartFailed e) {
                // Another process may have taken the port since it was found free.
                if (!e.portTaken || settings.port() != EmbeddedSettings.ANY_PORT || attemptsLeft <= 1) {
                    throw new OpenFailed(e.message);
                }
            }
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return pid;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Lets the watchdog stop the server. If that fails, stops the server by signals. */
    void stop() throws IOException {
        process.getOutputStream().close();
        if (!ExternalCommand.awaitExit(process, settings.stopMax())) {
            StaleProcesses.stop(cluster.home(), Duration.ofSeconds(1));
        }
    }

    private Process launch() throws IOException {
        var home = cluster.home();
        var command = new ArrayList<String>();
        if (ExternalCommand.isInstalled("setsid")) {
            command.add("setsid"); // Ctrl-C in a terminal is for Weir, which closes PostgreSQL after its own work
        }
        command.addAll(cluster.account().command(List.of("sh", "-c", watchdogScript(), "weir-postgres")));
        command.add(String.valueOf(settings.stopMax().toMillis() / MILLIS_PER_TENTH));
        command.add(cluster.programs().program("postgres").toString());
        command.addAll(List.of("-D", home.data().toString()));
        options().forEach(option -> command.addAll(List.of("-c", option)));
        return ExternalCommand.builder(home.directory(), command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(home.log().toFile()))
                .start();
    }

    /**
     * Returns the server's options. On the command line, no configuration file and no ALTER SYSTEM can override them.
     */
    private List<String> options() throws OpenFailed {
        var options = new ArrayList<>(List.of(
                // Connections only from this machine and with a password. No socket file, because its path is limited
                // to about 100 bytes.
                "listen_addresses=" + HOST,
                "port=" + port,
                "unix_socket_directories=",
                // Commits survive a failure of the process, the machine or the power.
                "fsync=on",
                "full_page_writes=on",
                "synchronous_commit=on",
                "max_connections=" + settings.maxConnections(),
                "shared_buffers=" + settings.sharedBuffersMiB() + "MB",
                // Statements are short, so compiling them costs more than it gains.
                "jit=off",
                // The log and all output use the same time zone on every machine.
                "timezone=UTC",
                "log_timezone=UTC",
                // The server's output goes to a file, which is the log.
                "logging_collector=off",
                "log_destination=stderr",
                "log_checkpoints=off",
                "cluster_name=weir"));
        if (Platform.current().isMac()) {
            // On macOS, fsync alone leaves data in the drive's cache.
            options.add("wal_sync_method=fsync_writethrough");
        }
        return options;
    }

    /**
     * Polls the file in which the server reports its progress, as pg_ctl does. If the server replays its log after a
     * crash, this waits as long as that takes: a server that is stopped would begin again.
     */
    private long awaitReady(long logStart) throws IOException, StartFailed {
        var home = cluster.home();
        var startedAt = System.nanoTime();
        var timeout = settings.startMax();
        while (!ExternalCommand.awaitExit(process, POLL_INTERVAL)) {
            var status = status();
            if (status.state.equals(READY)) {
                return status.pid;
            }
            if (System.nanoTime() - startedAt > timeout.toNanos()) {
                if (!RECOVERING.contains(status.state)) {
                    throw new StartFailed(
                            "PostgreSQL in " + home.directory() + " was not ready within "
                                    + settings.startMax().toSeconds() + " s; its log (" + home.log() + ") ends with:\n"
                                    + FailureAdvice.lastLines(home.log(), logStart),
                            false);
                }
                LOG.warn(
                        "PostgreSQL in {} is still starting after {} s; Weir waits, because it replays its log after a"
                                + " crash. The last line of its log: {}",
                        home.directory(),
                        timeout.toSeconds(),
                        FailureAdvice.lastLines(home.log(), logStart)
                                .lines()
                                .reduce("nothing", (before, last) -> last));
                timeout = timeout.plus(RECOVERY_LOG_INTERVAL);
            }
        }
        var output = FailureAdvice.lastLines(home.log(), logStart);
        throw new StartFailed(
                "PostgreSQL did not start in " + home.directory() + " on port " + port + FailureAdvice.of(output)
                        + ". It ran with " + cluster.account().description() + "; its output (" + home.log() + "):\n"
                        + output,
                output.contains(FailureAdvice.ADDRESS_IN_USE));
    }

    /** The status that this process's own server reports; {@link #NONE} if it has not reported any yet. */
    private record Status(long pid, String state) {
        static final Status NONE = new Status(0, "");
    }

    private Status status() throws IOException {
        try {
            var lines = Files.readAllLines(cluster.home().pidFile(), StandardCharsets.ISO_8859_1);
            if (lines.size() <= STATUS_LINE) {
                return Status.NONE;
            }
            var filePid = Long.parseLong(lines.getFirst().strip());
            // The file may still belong to an earlier server. This one is the process itself, or a child of 'su'.
            var isOurs = filePid == process.pid() || process.descendants().anyMatch(child -> child.pid() == filePid);
            return isOurs ? new Status(filePid, lines.get(STATUS_LINE).strip()) : Status.NONE;
        } catch (NoSuchFileException | NumberFormatException e) {
            return Status.NONE; // not written yet, or not completely
        }
    }

    private static String watchdogScript() {
        try (var in = Postmaster.class.getResourceAsStream("watchdog.sh")) {
            if (in == null) {
                throw new IllegalStateException("watchdog.sh is not in the jar of weir-postgres");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }
}
