package dev.weir.postgres.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Stops the processes and removes the pid file that a dead process has left in a data directory. The caller must hold
 * the directory's lock.
 *
 * <p>A process belongs to this directory if its program is in the directory. Pids are reused, and a pid file may be
 * stale or damaged, but nobody else runs programs from here.
 */
final class StaleProcesses {
    /** The longest time for PostgreSQL to end without a checkpoint, and for the system to kill it. */
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private StaleProcesses() {}

    /**
     * Ends all processes that run from this directory. No transaction of an earlier server may commit after the next
     * one has started.
     */
    static void stop(DataDirectory home, Duration fastTimeout) throws IOException {
        if (stopBySignal(home, "INT", fastTimeout)
                || stopBySignal(home, "QUIT", SIGNAL_TIMEOUT)
                || stopBySignal(home, "KILL", SIGNAL_TIMEOUT)) {
            return;
        }
        throw new OpenFailed("processes of an earlier PostgreSQL in " + home.directory()
                + " did not stop, not even when killed: "
                + "pids " + findRunning(home).stream().map(ProcessHandle::pid).toList()
                + "; check what they wait for (often a disk that does not respond)");
    }

    static List<ProcessHandle> findRunning(DataDirectory home) {
        var prefix = home.directory().resolve(DataDirectory.PROGRAMS_PREFIX).toString();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").startsWith(prefix))
                .toList();
    }

    /** Removes a pid file that would keep PostgreSQL from starting although nothing runs here. */
    static void clearPidFile(DataDirectory home) throws IOException {
        var file = home.pidFile();
        if (!Files.exists(file)) {
            return;
        }
        var text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        var first = text.lines().findFirst().orElse("").strip();
        if (!first.matches("[1-9][0-9]{0,9}")) {
            Files.delete(file);
            return;
        }
        var pidProcess = ProcessHandle.of(Long.parseLong(first));
        if (pidProcess.isPresent()) {
            refuseIfServer(home, pidProcess.get());
            Files.delete(file);
        }
    }

    /**
     * Refuses to continue if the pid may be a server. The pid is alive but no process of this directory: it was reused,
     * unless somebody started another PostgreSQL on this data.
     */
    private static void refuseIfServer(DataDirectory home, ProcessHandle process) throws IOException {
        var program = process.info().command().orElse("");
        var owner = Files.getOwner(home.data()).getName();
        var hidden = program.isEmpty() && process.info().user().orElse(owner).equals(owner);
        var server = program.endsWith("/postgres") || program.endsWith("/postmaster");
        if (server || hidden) {
            throw new OpenFailed(home.pidFile() + " names pid " + process.pid() + ", which runs "
                    + (hidden ? "a program that this user may not inspect" : program) + ". It may be a PostgreSQL that"
                    + " uses this data directory and that Weir did not start. Stop it; if it is not a PostgreSQL, or"
                    + " uses other data, remove the file");
        }
    }

    private static boolean stopBySignal(DataDirectory home, String signal, Duration timeout) throws IOException {
        var running = findRunning(home);
        if (running.isEmpty()) {
            return true;
        }
        var command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", signal));
        running.forEach(process -> command.add(String.valueOf(process.pid())));
        ExternalCommand.run(Path.of("/"), command);
        // This searches anew each time: by its pid, a process that has ended but was not reaped by its parent would
        // seem alive.
        var deadline = System.nanoTime() + timeout.toNanos();
        while (!findRunning(home).isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            sleep();
        }
        return true;
    }

    private static void sleep() throws IOException {
        try {
            Thread.sleep(POLL_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while an earlier PostgreSQL was stopped").initCause(e);
        }
    }
}
