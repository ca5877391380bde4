package dev.weir.bench.database;

import dev.weir.bench.SeparateProcess;
import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.server.NodeSettings;
import dev.weir.server.ServerNode;
import dev.weir.server.http.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A node that serves HTTP, in a process of its own. */
final class HttpNode implements AutoCloseable {
    private final Process process;
    private final BufferedReader responses;
    private final String url;
    private final String token;

    private HttpNode(Process process, BufferedReader responses, String url, String token) {
        this.process = process;
        this.responses = responses;
        this.url = url;
        this.token = token;
    }

    /** Starts a node on a database, and waits until it is ready. */
    static HttpNode start(DatabaseAddress database) throws IOException {
        Process process =
                SeparateProcess.start(HttpNode.class, List.of(database.url(), database.user(), database.password()));
        BufferedReader responses = process.inputReader(StandardCharsets.UTF_8);
        String line = responses.readLine();
        if (line == null) {
            throw new IOException("expected the address of a node, found the end of its process; see above");
        }
        String[] words = line.split(" ", -1);
        return new HttpNode(process, responses, words[0], words[1]);
    }

    String url() {
        return url;
    }

    String token() {
        return token;
    }

    /** The used heap of the node, after a collection. */
    long heapBytes() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        String line = responses.readLine();
        if (line == null) {
            throw new IOException("expected the heap of a node, found the end of its process; see above");
        }
        return Long.parseLong(line);
    }

    /** The CPU time of the node since its start. */
    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() throws IOException {
        // The process ends at the end of its input.
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs a node until the end of the input, and prints its used heap for each line of it. The arguments are the URL,
     * user and password of its database.
     */
    public static void main(String[] arguments) throws Exception {
        Path data = Files.createTempDirectory("weir-bench-node");
        var settings = new NodeSettings(
                data,
                new NodeSettings.Database(arguments[0], arguments[1], arguments[2]),
                new HttpServer.Address(NodeSettings.DEFAULT_HOST, 0, List.of()),
                NodeSettings.Outgoing.DEFAULT,
                null);
        try (ServerNode node = ServerNode.open(settings, message -> {}, () -> System.exit(1))) {
            System.out.println(node.url() + " " + node.newToken().orElseThrow());
            while (System.in.read() >= 0) {
                System.gc();
                var runtime = Runtime.getRuntime();
                System.out.println(runtime.totalMemory() - runtime.freeMemory());
            }
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
