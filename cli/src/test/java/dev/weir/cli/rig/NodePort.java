package dev.weir.cli.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses ports for nodes that are killed and started again. They lie below the range from which the system takes the
 * ports of outgoing connections; otherwise such a connection could take the port while its node is down.
 */
public final class NodePort {
    private static final int MIN = 15_000;
    private static final int MAX = 32_000;
    private static final int ATTEMPTS_MAX = 1_000;

    private NodePort() {}

    /** Returns a free port. */
    public static int findFree() throws IOException {
        IOException last = new IOException("no free port from " + MIN + " to " + MAX);
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(MIN, MAX);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }
}
