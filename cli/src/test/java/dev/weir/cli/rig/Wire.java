package dev.weir.cli.rig;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a node to PostgreSQL. It forwards messages one by one, and recognises those that commit a
 * transaction that has written rows, in particular rows of the claim log.
 */
final class Wire {
    private static final int BUFFER = 1 << 16;
    private static final int ANSWER_MAX_SECONDS = 10;
    private static final char QUERY = 'Q';
    private static final char PARSE = 'P';
    private static final char BIND = 'B';
    private static final char SYNC = 'S';
    private static final char COMMAND_COMPLETE = 'C';
    private static final List<String> WRITES = List.of("insert ", "update ", "delete ", "copy ");

    private final Socket client;
    private final Socket server;
    private final AtomicReference<@Nullable Trap> armed;
    private final Map<String, Says> statements = new HashMap<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile boolean muted;
    private Trap.Wrote wrote = Trap.Wrote.NOTHING;

    /** The kinds of statements that this class distinguishes. */
    private enum Says {
        COMMIT,
        ROLLBACK,
        CLAIM_LOG,
        WRITE,
        OTHER
    }

    Wire(Socket client, Socket server, AtomicReference<@Nullable Trap> armed) {
        this.client = client;
        this.server = server;
        this.armed = armed;
    }

    void start() {
        Thread.ofPlatform().daemon().name("rig wire to server").start(this::toServer);
        Thread.ofPlatform().daemon().name("rig wire to client").start(this::toClient);
    }

    void close() {
        try {
            client.close();
            server.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void toServer() {
        try {
            var in = new DataInputStream(new BufferedInputStream(client.getInputStream(), BUFFER));
            var out = new DataOutputStream(new BufferedOutputStream(server.getOutputStream(), BUFFER));
            int length = in.readInt();
            out.writeInt(length);
            out.write(in.readNBytes(length - Integer.BYTES));
            out.flush();
            while (true) {
                char type = (char) in.readUnsignedByte();
                byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
                Trap trap = trap(says(type, body));
                if (trap != null) {
                    spring(trap, new Message(type, body), in, out);
                    return;
                }
                write(new Message(type, body), out);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side has closed the connection, so the other is closed too.
        } finally {
            close();
        }
    }

    /** A message of the protocol, without its length. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(char type, byte[] body) {}

    private static void write(Message message, DataOutputStream out) throws IOException {
        out.writeByte(message.type);
        out.writeInt(message.body.length + Integer.BYTES);
        out.write(message.body);
    }

    /** Returns the armed trap if this statement commits a transaction that the trap waits for. */
    private @Nullable Trap trap(Says says) {
        Trap.Wrote before = wrote;
        wrote = switch (says) {
            case COMMIT, ROLLBACK -> Trap.Wrote.NOTHING;
            case CLAIM_LOG -> Trap.Wrote.CLAIMS;
            case WRITE -> before == Trap.Wrote.CLAIMS ? before : Trap.Wrote.ROWS;
            case OTHER -> before;
        };
        Trap trap = says == Says.COMMIT ? armed.get() : null;
        return trap != null && trap.springs(before) ? trap : null;
    }

    /** Lets the commit get as far as the trap says, injects the fault, and closes the connection. */
    private void spring(Trap trap, Message commit, DataInputStream in, DataOutputStream out) throws IOException {
        try {
            if (trap.place() == Trap.Place.HELD) {
                trap.spring(false);
                return;
            }
            muted = true;
            write(commit, out);
            char type = commit.type;
            while (type != SYNC && type != QUERY) {
                type = (char) in.readUnsignedByte();
                write(new Message(type, in.readNBytes(in.readInt() - Integer.BYTES)), out);
            }
            out.flush();
            trap.spring(trap.place() == Trap.Place.ANSWERED && serverAnswered());
        } finally {
            close();
            trap.over();
        }
    }

    private boolean serverAnswered() {
        try {
            return answered.await(ANSWER_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Says says(char type, byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        if (type == QUERY) {
            return says(text);
        }
        int end = text.indexOf('\0');
        if (type == PARSE) {
            statements.put(text.substring(0, end), says(text.substring(end + 1)));
        } else if (type == BIND) {
            return statements.getOrDefault(text.substring(end + 1, text.indexOf('\0', end + 1)), Says.OTHER);
        }
        return Says.OTHER;
    }

    private static Says says(String sql) {
        if (sql.startsWith("COMMIT")) {
            return Says.COMMIT;
        }
        if (sql.startsWith("ROLLBACK")) {
            return Says.ROLLBACK;
        }
        if (sql.startsWith("insert into claim_log") || sql.startsWith("copy claim_log")) {
            return Says.CLAIM_LOG;
        }
        return WRITES.stream().anyMatch(sql::startsWith) ? Says.WRITE : Says.OTHER;
    }

    private void toClient() {
        try {
            var in = new DataInputStream(new BufferedInputStream(server.getInputStream(), BUFFER));
            var out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), BUFFER));
            while (true) {
                char type = (char) in.readUnsignedByte();
                byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
                if (muted) {
                    if (type == COMMAND_COMPLETE && new String(body, StandardCharsets.US_ASCII).startsWith("COMMIT")) {
                        answered.countDown();
                    }
                    continue;
                }
                write(new Message(type, body), out);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side has closed the connection, so the other is closed too.
        } finally {
            if (!muted) {
                close();
            }
        }
    }
}
