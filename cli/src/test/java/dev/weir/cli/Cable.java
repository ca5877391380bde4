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
final class Cable implements AutoCloseable {
    private final ServerSocket entry;
    private final int exit;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    private volatile boolean silent;
    private boolean held;

    Cable(int exit) throws IOException {
        this.exit = exit;
        this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + entry.getLocalPort();
    }

    /** Breaks every connection and accepts none. */
    void cut() {
        cut = true;
        open.forEach(Cable::shut);
    }

    /** Accepts connections but returns no bytes to the client. */
    void silence() {
        silent = true;
    }

    /** Holds back the bytes to the client until the cable is mended. */
    synchronized void hold() {
        held = true;
    }

    synchronized void mend() {
        cut = false;
        silent = false;
        held = false;
        notifyAll();
    }

    private synchronized void awaitLetGo() throws InterruptedException {
        while (held) {
            wait();
        }
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket near = entry.accept();
                if (cut) {
                    shut(near);
                } else {
                    connect(near);
                }
            } catch (IOException e) {
                // The listening socket is closed, or this one connection failed.
            }
        }
    }

    private void connect(Socket near) throws IOException {
        var far = new Socket(InetAddress.getLoopbackAddress(), exit);
        open.add(near);
        open.add(far);
        Thread.ofVirtual().start(() -> carry(near, far, false));
        Thread.ofVirtual().start(() -> carry(far, near, true));
    }

    private void carry(Socket from, Socket to, boolean back) {
        byte[] buffer = new byte[8 * 1024];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (back) {
                    awaitLetGo();
                }
                if (!(silent && back)) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException e) {
            // One end has closed the connection, so the other is closed too.
        } finally {
            shut(from);
            shut(to);
        }
    }

    private static void shut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        entry.close();
        open.forEach(Cable::shut);
    }
}
