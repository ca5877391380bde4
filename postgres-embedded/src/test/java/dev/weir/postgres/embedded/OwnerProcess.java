package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A separate JVM that runs {@link OwnerMain}. */
final class OwnerProcess implements AutoCloseable {
    private static final Duration END_TIMEOUT = Duration.ofMinutes(1);

    private final Process process;
    private final BufferedReader lines;
    private final List<Long> committed = new ArrayList<>();

    private OwnerProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    static OwnerProcess start(Path directory) throws IOException {
        return start(List.of(), System.getProperty("java.class.path"), directory);
    }

    /**
     * Starts the process under another account. The prefix switches to that account, which must be able to read the
     * class path.
     */
    static OwnerProcess start(List<String> prefix, String classPath, Path directory) throws IOException {
        var command = new ArrayList<>(prefix);
        command.addAll(List.of(java().toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", classPath));
        command.addAll(List.of(OwnerMain.class.getName(), directory.toString()));
        return new OwnerProcess(new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .start());
    }

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Copies the class path into the given folder, so that every account can read it. */
    static String copyClassPath(Path folder) throws IOException {
        var entries = new ArrayList<String>();
        for (var entry : System.getProperty("java.class.path").split(":", -1)) {
            var copy = folder.resolve(entries.size() + "-" + Path.of(entry).getFileName());
            copyTree(Path.of(entry), copy);
            entries.add(copy.toString());
        }
        return String.join(":", entries);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        if (!Files.exists(from)) {
            return;
        }
        try (var walk = Files.walk(from)) {
            for (var path : walk.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    long pid() {
        return process.pid();
    }

    /** Returns the rows that the process has reported as committed. */
    List<Long> committed() {
        return List.copyOf(committed);
    }

    /** Waits until the process has opened the directory. Returns the server's pid. */
    long awaitOpened() throws IOException {
        return Long.parseLong(await(OwnerMain.OPENED));
    }

    String awaitRefused() throws IOException {
        return await(OwnerMain.REFUSED);
    }

    void awaitCommits(int count) throws IOException {
        while (committed.size() < count) {
            await(OwnerMain.COMMITTED);
        }
    }

    /** Kills the process as a crash would, and waits for its end. */
    void kill() throws Exception {
        process.destroyForcibly();
        assertThat(process.waitFor(END_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Lets the process close the directory and end. */
    void finish() throws Exception {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        for (var command = lines.readLine(); command != null; command = lines.readLine()) {
            recordCommit(command);
        }
        assertThat(process.waitFor(END_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private String await(String word) throws IOException {
        var output = new StringBuilder();
        for (var command = lines.readLine(); command != null; command = lines.readLine()) {
            recordCommit(command);
            if (command.startsWith(word)) {
                return command.substring(word.length());
            }
            output.append(command).append('\n');
        }
        throw new AssertionError("expected '" + word + "', found:\n" + output);
    }

    private void recordCommit(String command) {
        if (command.startsWith(OwnerMain.COMMITTED)) {
            committed.add(Long.parseLong(command.substring(OwnerMain.COMMITTED.length())));
        }
    }
}
