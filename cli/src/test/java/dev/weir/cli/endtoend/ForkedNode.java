package dev.weir.cli.endtoend;

import dev.weir.api.Runs.RunView;
import dev.weir.cli.rig.NodePort;
import dev.weir.cli.rig.NodeProcess;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** A node started with {@code weir up} in its own process and folder, with an embedded PostgreSQL. */
final class ForkedNode implements AutoCloseable {
    final NodeProcess.NodeLaunch launch;
    final Client client;
    private NodeProcess process;

    ForkedNode(String name, List<String> arguments) throws IOException {
        var parent = Path.of("target", "lives-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.launch = new NodeProcess.NodeLaunch(
                parent.resolve(name), parent.resolve(name + ".log"), NodePort.findFree(), arguments, Map.of());
        this.process = NodeProcess.start(launch);
        process.awaitReady();
        this.client = new Client(Connection.to(launch.url(), token()));
    }

    String token() throws IOException {
        return LocalProfile.find(launch.data()).orElseThrow().token();
    }

    /** Kills the node, and starts it again. */
    void restart() throws IOException {
        kill();
        start();
    }

    /** Kills the node. */
    void kill() {
        process.kill();
    }

    void start() throws IOException {
        process = NodeProcess.start(launch);
        process.awaitReady();
    }

    /** Waits until a run has ended, and returns it. */
    RunView awaitEnd(String run) throws InterruptedException {
        Awaitility.await(run)
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> client.run(run).endedAt() != null);
        return client.run(run);
    }

    /** Stops the node as Ctrl-C does. */
    @Override
    public void close() {
        process.close();
    }
}
