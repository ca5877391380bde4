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
final class ProxiedConnection {
    private static final int BUFFER = 1 << 16;
    private static final int ANSWER_MAX_SECONDS = 10;
    private static final char QUERY = 'Q';
    private static final char PARSE = 'P';
    private static final char BIND = 'B';
    private static final char SYNC = 'S';
    private static final char COMMAND_COMPLETE = 'C';
    private static final List<String> WRITE_PREFIXES = List.of("insert ", "update ", "delete ", "copy ");

    private final Socket client;
    private final Socket server;
    private final AtomicReference<@Nullable CommitTrap> armed;
    private final Map<String, StatementKind> statements = new HashMap<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile boolean answersBlocked;
    private CommitTrap.TransactionWrites writes = CommitTrap.TransactionWrites.NOTHING;

    /** The kinds of statements that this class distinguishes. */
    private enum StatementKind {
        COMMIT,
        ROLLBACK,
        CLAIM_LOG,
        WRITE,
        OTHER
    }

    ProxiedConnection(Socket client, Socket server, AtomicReference<@Nullable CommitTrap> armed) {
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
                CommitTrap trap = matchingTrap(classify(type, body));
                if (trap != null) {
                    springTrap(trap, new Message(type, body), in, out);
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
    private @Nullable CommitTrap matchingTrap(StatementKind kind) {
        CommitTrap.TransactionWrites before = writes;
        writes = switch (kind) {
            case COMMIT, ROLLBACK -> CommitTrap.TransactionWrites.NOTHING;
            case CLAIM_LOG -> CommitTrap.TransactionWrites.CLAIMS;
            case WRITE -> before == CommitTrap.TransactionWrites.CLAIMS ? before : CommitTrap.TransactionWrites.ROWS;
            case OTHER -> before;
        };
        CommitTrap trap = kind == StatementKind.COMMIT ? armed.get() : null;
        return trap != null && trap.matches(before) ? trap : null;
    }

    /** Lets the commit get as far as the trap says, injects the fault, and closes the connection. */
    private void springTrap(CommitTrap trap, Message commit, DataInputStream in, DataOutputStream out)
            throws IOException {
        try {
            if (trap.commitPoint() == CommitTrap.CommitPoint.HELD) {
                trap.trigger(false);
                return;
            }
            answersBlocked = true;
            write(commit, out);
            char type = commit.type;
            while (type != SYNC && type != QUERY) {
                type = (char) in.readUnsignedByte();
                write(new Message(type, in.readNBytes(in.readInt() - Integer.BYTES)), out);
            }
            out.flush();
            trap.trigger(trap.commitPoint() == CommitTrap.CommitPoint.ANSWERED && serverAnswered());
        } finally {
            close();
            trap.connectionClosed();
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

    private StatementKind classify(char type, byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        if (type == QUERY) {
            return classify(text);
        }
        int end = text.indexOf('\0');
        if (type == PARSE) {
            statements.put(text.substring(0, end), classify(text.substring(end + 1)));
        } else if (type == BIND) {
            return statements.getOrDefault(text.substring(end + 1, text.indexOf('\0', end + 1)), StatementKind.OTHER);
        }
        return StatementKind.OTHER;
    }

    private static StatementKind classify(String sql) {
        if (sql.startsWith("COMMIT")) {
            return StatementKind.COMMIT;
        }
        if (sql.startsWith("ROLLBACK")) {
            return StatementKind.ROLLBACK;
        }
        if (sql.startsWith("insert into claim_log") || sql.startsWith("copy claim_log")) {
            return StatementKind.CLAIM_LOG;
        }
        return WRITE_PREFIXES.stream().anyMatch(sql::startsWith) ? StatementKind.WRITE : StatementKind.OTHER;
    }

    private void toClient() {
        try {
            var in = new DataInputStream(new BufferedInputStream(server.getInputStream(), BUFFER));
            var out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), BUFFER));
            while (true) {
                char type = (char) in.readUnsignedByte();
                byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
                if (answersBlocked) {
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
            if (!answersBlocked) {
                close();
            }
        }
    }
}
