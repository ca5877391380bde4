package dev.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between a client and a node that can be cut or go silent. */
final class FaultyProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int targetPort;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    private volatile boolean silent;
    private boolean holding;

    FaultyProxy(int targetPort) throws IOException {
        this.targetPort = targetPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Breaks every connection and accepts none. */
    void cut() {
        cut = true;
        connections.forEach(FaultyProxy::closeSocket);
    }

    /** Accepts connections but returns no bytes to the client. */
    void silence() {
        silent = true;
    }

    /** Holds back the bytes to the client until the cable is mended. */
    synchronized void holdResponses() {
        holding = true;
    }

    synchronized void repair() {
        cut = false;
        silent = false;
        holding = false;
        notifyAll();
    }

    private synchronized void awaitRelease() throws InterruptedException {
        while (holding) {
            wait();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket clientSocket = listener.accept();
                if (cut) {
                    closeSocket(clientSocket);
                } else {
                    connect(clientSocket);
                }
            } catch (IOException e) {
                // The listening socket is closed, or this one connection failed.
            }
        }
    }

    private void connect(Socket clientSocket) throws IOException {
        var serverSocket = new Socket(InetAddress.getLoopbackAddress(), targetPort);
        connections.add(clientSocket);
        connections.add(serverSocket);
        Thread.ofVirtual().start(() -> forward(clientSocket, serverSocket, false));
        Thread.ofVirtual().start(() -> forward(serverSocket, clientSocket, true));
    }

    private void forward(Socket from, Socket to, boolean toClient) {
        byte[] buffer = new byte[8 * 1024];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (toClient) {
                    awaitRelease();
                }
                if (!(silent && toClient)) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException e) {
            // One end has closed the connection, so the other is closed too.
        } finally {
            closeSocket(from);
            closeSocket(to);
        }
    }

    private static void closeSocket(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        connections.forEach(FaultyProxy::closeSocket);
    }
}
