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

/** A running server: started under a watchdog, so that it ends when this process does, however that may be. */
final class Postmaster {
    static final String HOST = "127.0.0.1";

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final int PORT_TRIES_MAX = 5;
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    /** How often it is said that a server still replays its log. */
    private static final Duration SAY_EVERY = Duration.ofSeconds(10);

    private static final int STATUS_LINE = 7;
    private static final String READY = "ready";
    private static final Set<String> RECOVERING = Set.of("starting", "standby");
    private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
    private static final int MILLIS_PER_TENTH = 100;

    private final Cluster cluster;
    private final Settings settings;
    private final int port;
    private final Process process;
    private final long pid;

    /** A start that came to nothing, and whether another port could help. */
    private static final class StartFailed extends Exception {
        private static final long serialVersionUID = 1;
        private final String words;
        private final boolean portTaken;

        StartFailed(String words, boolean portTaken) {
            super(words);
            this.words = words;
            this.portTaken = portTaken;
        }
    }

    private Postmaster(Cluster cluster, Settings settings, int port) throws IOException, StartFailed {
        this.cluster = cluster;
        this.settings = settings;
        this.port = port;
        var from = Files.size(cluster.home().log());
        process = launch();
        try {
            pid = awaitReady(from);
        } catch (IOException | StartFailed | RuntimeException e) {
            stop();
            throw e;
        }
    }

    /** Starts the server, and waits until it takes connections. */
    static Postmaster start(Cluster cluster, Settings settings) throws IOException {
        for (int left = PORT_TRIES_MAX; ; left--) {
            try {
                var any = settings.port() == Settings.ANY_PORT;
                return new Postmaster(cluster, settings, any ? freePort() : settings.port());
            } catch (StartFailed e) {
                // Between our look and PostgreSQL's start somebody else may have taken the port.
                if (!e.portTaken || settings.port() != Settings.ANY_PORT || left <= 1) {
                    throw new OpenFailed(e.words);
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

    /** Lets the watchdog stop the server; if that fails, stops it otherwise. */
    void stop() throws IOException {
        process.getOutputStream().close();
        if (!Command.ended(process, settings.stopMax())) {
            Leftovers.stop(cluster.home(), Duration.ofSeconds(1));
        }
    }

    private Process launch() throws IOException {
        var home = cluster.home();
        var line = new ArrayList<String>();
        if (Command.installed("setsid")) {
            line.add("setsid"); // Ctrl-C in a terminal is for Weir, which closes PostgreSQL after its own work
        }
        line.addAll(cluster.account().command(List.of("sh", "-c", watchdog(), "weir-postgres")));
        line.add(String.valueOf(settings.stopMax().toMillis() / MILLIS_PER_TENTH));
        line.add(cluster.programs().program("postgres").toString());
        line.addAll(List.of("-D", home.data().toString()));
        options().forEach(option -> line.addAll(List.of("-c", option)));
        return Command.builder(home.directory(), line)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(home.log().toFile()))
                .start();
    }

    /** On the command line they cannot be undone by a line in a file or by ALTER SYSTEM. */
    private List<String> options() throws OpenFailed {
        var options = new ArrayList<>(List.of(
                // Only this machine, only by password; no socket file, whose path may be at most about 100 bytes long.
                "listen_addresses=" + HOST,
                "port=" + port,
                "unix_socket_directories=",
                // What was committed stays, whatever happens to the process, the machine or the power.
                "fsync=on",
                "full_page_writes=on",
                "synchronous_commit=on",
                "max_connections=" + settings.maxConnections(),
                "shared_buffers=" + settings.sharedBuffersMiB() + "MB",
                // Statements are short; compiling them costs more than it gains.
                "jit=off",
                // One time zone in the log and in what is shown, on every machine.
                "timezone=UTC",
                "log_timezone=UTC",
                // The log is the file that the server's output goes to.
                "logging_collector=off",
                "log_destination=stderr",
                "log_checkpoints=off",
                "cluster_name=weir"));
        if (Platform.current().isMac()) {
            // There an fsync alone leaves data in the drive's cache.
            options.add("wal_sync_method=fsync_writethrough");
        }
        return options;
    }

    /**
     * Looks at the file in which the server says how far it is, as pg_ctl does. A server that has gone so far as to replay
     * its log after a crash is waited for however long that takes: if it were stopped, it would begin from the start.
     */
    private long awaitReady(long from) throws IOException, StartFailed {
        var home = cluster.home();
        var began = System.nanoTime();
        var patience = settings.startMax();
        while (!Command.ended(process, LOOK_EVERY)) {
            var status = status();
            if (status.word.equals(READY)) {
                return status.pid;
            }
            if (System.nanoTime() - began > patience.toNanos()) {
                if (!RECOVERING.contains(status.word)) {
                    throw new StartFailed(
                            "PostgreSQL in " + home.directory() + " was not ready within "
                                    + settings.startMax().toSeconds() + " s; its log (" + home.log() + ") ends with:\n"
                                    + Remedy.lastLines(home.log(), from),
                            false);
                }
                LOG.warn(
                        "PostgreSQL in {} is still starting after {} s, and is waited for: after a crash it replays its"
                                + " log. It said last: {}",
                        home.directory(),
                        patience.toSeconds(),
                        Remedy.lastLines(home.log(), from).lines().reduce("nothing", (before, last) -> last));
                patience = patience.plus(SAY_EVERY);
            }
        }
        var said = Remedy.lastLines(home.log(), from);
        throw new StartFailed(
                "PostgreSQL did not start in " + home.directory() + " on port " + port + Remedy.of(said)
                        + ". It ran by way" + " of " + cluster.account().way() + " and said (" + home.log() + "):\n"
                        + said,
                said.contains(Remedy.ADDRESS_IN_USE));
    }

    /** What our own server says of itself; nothing if it has not said anything yet. */
    private record Status(long pid, String word) {
        static final Status NONE = new Status(0, "");
    }

    private Status status() throws IOException {
        try {
            var lines = Files.readAllLines(cluster.home().pidFile(), StandardCharsets.ISO_8859_1);
            if (lines.size() <= STATUS_LINE) {
                return Status.NONE;
            }
            var named = Long.parseLong(lines.getFirst().strip());
            // The file may still be that of an earlier server. Our own is the process itself, or a child of 'su'.
            var ours = named == process.pid() || process.descendants().anyMatch(child -> child.pid() == named);
            return ours ? new Status(named, lines.get(STATUS_LINE).strip()) : Status.NONE;
        } catch (NoSuchFileException | NumberFormatException e) {
            return Status.NONE; // not written yet, or not in full
        }
    }

    private static String watchdog() {
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
