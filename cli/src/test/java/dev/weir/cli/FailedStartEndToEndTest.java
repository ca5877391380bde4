package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.server.NodeSettings;
import dev.weir.server.ServerNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that a node whose start fails in its last steps leaves nothing running. */
class FailedStartEndToEndTest {
    private static final List<ServerSocket> TAKEN = new ArrayList<>();

    /** Returns the threads of nodes. The test ignores those that existed before. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("weir")
                        || thread.getName().startsWith("Jetty")
                        || thread.getName().startsWith("qtp"))
                .collect(Collectors.toSet());
    }

    private static Path folder(String name) throws IOException {
        var parent = Path.of("target", "nodes-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        return parent.resolve(name);
    }

    private static void assertNothingLeft(Set<Thread> before) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            Set<Thread> left = threads();
            left.removeAll(before);
            assertThat(left).isEmpty();
        });
    }

    @Test
    void a_port_that_is_taken_meanwhile_ends_the_engine_too() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Set<Thread> before = threads();
        var settings = NodeSettings.in(folder("port-taken")).withPort(port);
        assertThatThrownBy(() -> ServerNode.open(settings, words -> take(port), () -> {}))
                .hasMessageContaining(":" + port);
        assertNothingLeft(before);
        for (ServerSocket socket : TAKEN) {
            socket.close();
        }
    }

    /** Takes the port. The node's first message comes after it has checked that its port is free. */
    private static void take(int port) {
        if (TAKEN.isEmpty()) {
            try {
                TAKEN.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void a_profile_that_cannot_be_written_ends_it_all() throws IOException {
        Path data = folder("no-profile");
        Set<Thread> before = threads();
        var settings = NodeSettings.in(data).withPort(0);
        assertThatThrownBy(() -> ServerNode.open(settings, words -> occupy(data), () -> {}))
                .isInstanceOf(IOException.class);
        assertNothingLeft(before);
    }

    /** Creates a non-empty folder at the path to which the node first writes its profile. */
    private static void occupy(Path data) {
        try {
            Files.createDirectories(data.resolve("profile.json.new").resolve("occupied"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
