package dev.weir.cli;

import dev.weir.api.Runs.RunView;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import dev.weir.server.NodeSettings;
import dev.weir.server.ServerNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node with its own PostgreSQL, opened as {@code weir up} does, and a client of it. */
final class RunningNode implements AutoCloseable {
    final Path data;
    final List<String> messages = new ArrayList<>();
    final ServerNode node;
    final Client client;

    private RunningNode(NodeSettings settings) throws IOException {
        this.data = settings.data();
        this.node = ServerNode.open(settings.withPort(0), messages::add, () -> messages.add("lost"));
        this.client = new Client(connection());
    }

    private static @Nullable RunningNode shared;

    /** Returns one node for all tests that do not stop it. Its PostgreSQL ends with this process. */
    static synchronized RunningNode shared() throws IOException {
        if (shared == null) {
            shared = in("shared");
        }
        return shared;
    }

    /** Opens a node in a folder with this name. Files of an earlier build are in another folder. */
    static RunningNode in(String name) throws IOException {
        return new RunningNode(NodeSettings.in(folder(name)));
    }

    /** Opens a node in a folder with this name, with {@code --keep-history}. */
    static RunningNode withHistory(String name, Duration history) throws IOException {
        return new RunningNode(NodeSettings.in(folder(name)).withKeepHistory(history));
    }

    private static Path folder(String name) throws IOException {
        var parent = Path.of("target", "nodes-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        return parent.resolve(name);
    }

    /** Closes the node and opens it again. */
    RunningNode restart() throws IOException {
        close();
        return reopen();
    }

    /** Opens the node again after it was closed. */
    RunningNode reopen() throws IOException {
        return new RunningNode(NodeSettings.in(data));
    }

    Connection connection() throws IOException {
        LocalProfile profile = LocalProfile.find(data).orElseThrow();
        return Connection.to(profile.url(), profile.token());
    }

    RunView awaitEnd(String run) throws InterruptedException {
        var view = new RunView[] {client.run(run)};
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
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
