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

/** Other programs: how they are started, and a bound for how long they may take. */
final class Command {
    /** For programs that only look or send a signal. */
    static final Duration SHORT_MAX = Duration.ofSeconds(10);

    private static final String FALLBACK_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

    /** How a program ended, and what it printed. */
    record Outcome(int exit, String output) {}

    private Command() {}

    /**
     * A program with as little of our environment as possible: variables such as PGOPTIONS would change what PostgreSQL
     * does, and its messages are looked at in English.
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

    /** Runs a program that prints little: it is read when it has ended. */
    static Outcome run(Path folder, List<String> line, Duration max) throws IOException {
        var process = builder(folder, line).redirectErrorStream(true).start();
        var exit = finish(process, line, max);
        return new Outcome(exit, new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    /** Runs a program that prints to the end of a file. */
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
