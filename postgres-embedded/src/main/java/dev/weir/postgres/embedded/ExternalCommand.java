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
    static final Duration SHORT_MAX = Duration.ofSeconds(10);

    private static final String FALLBACK_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

    /** The exit code and the output of a program. */
    record Outcome(int exit, String output) {}

    private ExternalCommand() {}

    /**
     * Returns a builder with as little of this process's environment as possible. Variables such as PGOPTIONS would
     * change PostgreSQL's behaviour, and its messages must be in English.
     */
    static ProcessBuilder builder(Path folder, List<String> line) {
        var builder = new ProcessBuilder(line).directory(folder.toFile());
        var path = System.getenv().getOrDefault("PATH", FALLBACK_PATH);
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", path + ":" + FALLBACK_PATH);
        environment.put("LC_ALL", "C");
        environment.put("TZ", "UTC");
        return builder;
    }

    static Outcome run(Path folder, List<String> line) throws IOException {
        return run(folder, line, SHORT_MAX);
    }

    /** Runs a program that prints little: its output is read after it has ended. */
    static Outcome run(Path folder, List<String> line, Duration max) throws IOException {
        var process = builder(folder, line).redirectErrorStream(true).start();
        var exit = finish(process, line, max);
        return new Outcome(exit, new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    /** Runs a program and appends its output to a file. */
    static int run(Path folder, List<String> line, Path log, Duration max) throws IOException {
        var process = builder(folder, line)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
        return finish(process, line, max);
    }

    private static int finish(Process process, List<String> line, Duration max) throws IOException {
        process.getOutputStream().close();
        var ended = false;
        try {
            ended = ended(process, max);
        } finally {
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        if (!ended) {
            throw new OpenFailed("expected to end within " + max.toSeconds() + " s: " + String.join(" ", line));
        }
        return process.exitValue();
    }

    static boolean ended(Process process, Duration max) throws IOException {
        try {
            return process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while waiting for pid " + process.pid()).initCause(e);
        }
    }

    static boolean installed(String program) {
        var path = System.getenv().getOrDefault("PATH", "") + ":" + FALLBACK_PATH;
        return Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Path.of(folder, program).toFile().canExecute());
    }
}
