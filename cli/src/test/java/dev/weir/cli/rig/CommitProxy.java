package dev.weir.cli.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A proxy between nodes and PostgreSQL on this machine. */
final class CommitProxy implements AutoCloseable {
    private static final int BACKLOG = 64;

    private final int postgresPort;
    private final ServerSocket listening;
    private final List<Wire> wires = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Trap> armed = new AtomicReference<>();

    CommitProxy(int postgresPort) throws IOException {
        this.postgresPort = postgresPort;
        this.listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("rig proxy").start(this::accept);
    }

    /** Returns the URL of the database for nodes. Encryption is off, so that the proxy can read the messages. */
    String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + listening.getLocalPort() + "/" + database
                + "?sslmode=disable&gssEncMode=disable";
    }

    void arm(Trap trap) {
        armed.set(trap);
    }

    void disarm() {
        armed.set(null);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                try {
                    var wire = new Wire(client, new Socket(InetAddress.getLoopbackAddress(), postgresPort), armed);
                    wires.add(wire);
                    wire.start();
                } catch (IOException e) {
                    client.close(); // PostgreSQL is down, and so is this connection
                }
            } catch (IOException e) {
                // The proxy was closed, or the client has gone.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        wires.forEach(Wire::close);
    }
}
