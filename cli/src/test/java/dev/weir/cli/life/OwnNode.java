package dev.weir.cli.life;

import dev.weir.api.Runs.RunView;
import dev.weir.cli.rig.NodeProcess;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** A node started with {@code weir up} in its own process and folder, with an embedded PostgreSQL. */
final class OwnNode implements AutoCloseable {
    final NodeProcess.Place place;
    final Client client;
    private NodeProcess process;

    OwnNode(String name, List<String> arguments) throws IOException {
        var parent = Path.of("target", "lives-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.place = new NodeProcess.Place(
                parent.resolve(name), parent.resolve(name + ".log"), freePort(), arguments, Map.of());
        this.process = NodeProcess.start(place);
        process.awaitReady();
        this.client = new Client(Connection.to(place.url(), token()));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String token() throws IOException {
        return LocalProfile.find(place.data()).orElseThrow().token();
    }

    /** Kills the node, and starts it again. */
    void killAndStartAgain() throws IOException {
        kill();
        startAgain();
    }

    /** Kills the node. */
    void kill() {
        process.kill();
    }

    void startAgain() throws IOException {
        process = NodeProcess.start(place);
        process.awaitReady();
    }

    /** Waits until a run has ended, and returns it. */
    RunView ended(String run) throws InterruptedException {
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
