package dev.weir.cli.browser;

import dev.weir.cli.rig.NodePort;
import dev.weir.cli.rig.NodeProcess;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A node that serves the console, in a process and a folder of its own. */
final class ConsoleNode implements AutoCloseable {
    private final NodeProcess.NodeLaunch launch;
    private NodeProcess process;
    final Client client;

    ConsoleNode(String name, String... arguments) throws IOException {
        Path parent =
                Path.of("target", "console-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.launch = new NodeProcess.NodeLaunch(
                parent.resolve(name), parent.resolve(name + ".log"), NodePort.findFree(), List.of(arguments), Map.of());
        start();
        this.client = new Client(Connection.to(url(), token()));
    }

    String url() {
        return launch.url();
    }

    /** Returns the first token of the node, which may do everything. */
    String token() throws IOException {
        return LocalProfile.find(launch.data()).orElseThrow().token();
    }

    void kill() {
        process.kill();
    }

    void start() throws IOException {
        process = NodeProcess.start(launch);
        process.awaitReady();
    }

    @Override
    public void close() {
        process.close();
    }
}
