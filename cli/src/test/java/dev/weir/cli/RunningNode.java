package dev.weir.cli;

import dev.weir.api.Runs.RunView;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.Node;
import dev.weir.server.NodeSettings;
import dev.weir.server.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node with a PostgreSQL of its own, as {@code weir up} starts it, and a client of it. */
final class RunningNode implements AutoCloseable {
    final Path data;
    final List<String> told = new ArrayList<>();
    final Node node;
    final Client client;

    private RunningNode(Path data) throws IOException {
        this.data = data;
        this.node = Node.open(NodeSettings.in(data).withPort(0), told::add, () -> told.add("lost"));
        this.client = new Client(connection());
    }

    private static @Nullable RunningNode shared;

    /** One node for all tests that do not end it; its PostgreSQL ends with this process. */
    static synchronized RunningNode shared() throws IOException {
        if (shared == null) {
            shared = in("shared");
        }
        return shared;
    }

    /** A node in a folder of that name; what an earlier build has left there is another folder. */
    static RunningNode in(String name) throws IOException {
        var parent = Path.of("target", "nodes-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which has to pass through.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new RunningNode(parent.resolve(name));
    }

    /** The same node, started again. */
    RunningNode again() throws IOException {
        close();
        return reopened();
    }

    /** The same node after it was closed. */
    RunningNode reopened() throws IOException {
        return new RunningNode(data);
    }

    Connection connection() throws IOException {
        Profile profile = Profile.find(data).orElseThrow();
        return Connection.to(profile.url(), profile.token());
    }

    RunView awaitEnd(String run) throws InterruptedException {
        var view = new RunView[] {client.run(run)};
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .pollInterval(java.time.Duration.ofMillis(100))
                .until(() -> {
                    view[0] = client.run(run);
                    return view[0].endedAt() != null;
                });
        return view[0];
    }

    @Override
    public void close() {
        node.close();
    }
}
