package dev.weir.postgres.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs other programs with a time limit. */
final class ExternalCommand {
    /** The time limit of programs that only look or send a signal. */
    static final Duration SHORT_TIMEOUT = Duration.ofSeconds(10);

    private static final String FALLBACK_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

    /** The exit code and the output of a program. */
    record Outcome(int exitCode, String output) {}

    private ExternalCommand() {}

    /**
     * Returns a builder with as little of this process's environment as possible. Variables such as PGOPTIONS would
     * change PostgreSQL's behaviour, and its messages must be in English.
     */
    static ProcessBuilder builder(Path folder, List<String> command) {
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        var path = System.getenv().getOrDefault("PATH", FALLBACK_PATH);
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", path + ":" + FALLBACK_PATH);
        environment.put("LC_ALL", "C");
        environment.put("TZ", "UTC");
        return builder;
    }

    static Outcome run(Path folder, List<String> command) throws IOException {
        return run(folder, command, SHORT_TIMEOUT);
    }

    /** Runs a program that prints little: its output is read after it has ended. */
    static Outcome run(Path folder, List<String> command, Duration timeout) throws IOException {
        var process = builder(folder, command).redirectErrorStream(true).start();
        var exit = finish(process, command, timeout);
        return new Outcome(exit, new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    /** Runs a program and appends its output to a file. */
    static int run(Path folder, List<String> command, Path log, Duration timeout) throws IOException {
        var process = builder(folder, command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
        return finish(process, command, timeout);
    }

    private static int finish(Process process, List<String> command, Duration timeout) throws IOException {
        process.getOutputStream().close();
        var hasEnded = false;
        try {
            hasEnded = awaitExit(process, timeout);
        } finally {
            if (!hasEnded) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        if (!hasEnded) {
            throw new OpenFailed("expected to end within " + timeout.toSeconds() + " s: " + String.join(" ", command));
        }
        return process.exitValue();
    }

    static boolean awaitExit(Process process, Duration timeout) throws IOException {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while waiting for pid " + process.pid()).initCause(e);
        }
    }

    static boolean isInstalled(String program) {
        var path = System.getenv().getOrDefault("PATH", "") + ":" + FALLBACK_PATH;
        return Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Path.of(folder, program).toFile().canExecute());
    }
}
