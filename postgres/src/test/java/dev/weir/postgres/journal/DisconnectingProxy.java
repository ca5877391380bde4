package dev.weir.postgres.journal;

import dev.weir.postgres.sql.DatabaseAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A proxy between a client and PostgreSQL that cuts the connection around a commit. */
final class DisconnectingProxy implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final ServerSocket serverSocket;
    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable DisconnectPoint> next = new AtomicReference<>();
    private volatile boolean commitSeen;
    private volatile boolean disconnected;

    /** The moment at which a connection is cut. */
    enum DisconnectPoint {
        BEFORE_SERVER_RECEIVES_COMMIT,
        BEFORE_CLIENT_RECEIVES_ANSWER
    }

    DisconnectingProxy(int port) throws IOException {
        this.port = port;
        this.serverSocket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    DatabaseAddress address(DatabaseAddress direct) {
        String url = direct.url().replace(":" + port + "/", ":" + serverSocket.getLocalPort() + "/");
        // Statements that are sent only by name would hide the commit.
        return new DatabaseAddress(
                url + "?sslmode=disable&gssEncMode=disable&prepareThreshold=0", direct.user(), direct.password());
    }

    void disconnectAtCommit(DisconnectPoint where) {
        next.set(where);
    }

    boolean hasDisconnected() {
        return disconnected;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = serverSocket.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.addAll(List.of(client, server));
                Thread.ofVirtual().start(() -> pump(client, server, true));
                Thread.ofVirtual().start(() -> pump(server, client, false));
            }
        } catch (IOException e) {
            close();
        }
    }

    private void pump(Socket from, Socket to, boolean toServer) {
        byte[] buffer = new byte[BUFFER];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (mustDisconnect(new String(buffer, 0, read, StandardCharsets.ISO_8859_1), toServer)) {
                    disconnected = true;
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // The other side has closed the connection, as intended.
        }
    }

    private boolean mustDisconnect(String bytes, boolean toServer) {
        DisconnectPoint where = next.get();
        if (where == null) {
            return false;
        }
        if (toServer) {
            commitSeen = commitSeen || bytes.contains("COMMIT");
            return commitSeen && where == DisconnectPoint.BEFORE_SERVER_RECEIVES_COMMIT;
        }
        return commitSeen;
    }

    @Override
    public void close() {
        try {
            serverSocket.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
