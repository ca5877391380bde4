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

/** Lies between a client and a node, and can be cut or go silent. */
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

    /** Breaks every connection and lets none through. */
    void cut() {
        cut = true;
        open.forEach(Cable::shut);
    }

    /** Lets connections through that no byte comes back from. */
    void silence() {
        silent = true;
    }

    /** Keeps what comes back until it is mended. */
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
                // The entry is closed, or this one connection failed.
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
            // One end has gone; so does the other.
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
