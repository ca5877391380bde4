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
    private final ServerSocket listener;
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable CommitTrap> armed = new AtomicReference<>();

    CommitProxy(int postgresPort) throws IOException {
        this.postgresPort = postgresPort;
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("rig proxy").start(this::accept);
    }

    /** Returns the URL of the database for nodes. Encryption is off, so that the proxy can read the messages. */
    String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + "/" + database
                + "?sslmode=disable&gssEncMode=disable";
    }

    void arm(CommitTrap trap) {
        armed.set(trap);
    }

    void disarm() {
        armed.set(null);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                try {
                    var connection = new ProxiedConnection(
                            client, new Socket(InetAddress.getLoopbackAddress(), postgresPort), armed);
                    connections.add(connection);
                    connection.start();
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
        listener.close();
        connections.forEach(ProxiedConnection::close);
    }
}
