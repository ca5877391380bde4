package dev.weir.postgres.sql;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * New rows of one table, streamed to it. The server appends them page by page, with one record of its log for many rows.
 * They go as text: of rows in its binary form it gathers up to a thousand before it writes any, and each costs it a search
 * among those. It takes no rows this way from a role that row-level security watches over.
 */
final class Copy implements Rows {
    private static final Pattern TARGET = Pattern.compile("insert into (\\w+ \\([^)]*\\))");
    private static final int NUMBER_CHARS_MAX = 20;
    /** What Java puts where half a pair of surrogates was. */
    private static final byte UNENCODABLE = '?';

    private static final int BYTES_AT_FIRST = 16 * 1024;
    private static final int PIECE_BYTES = 128 * 1024;

    private final String statement;
    /** Half a pair of surrogates is refused: what is read would not be what was written. */
    private final CharsetEncoder utf8 = StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);

    /** What was written before: pieces, because one array of megabytes, made anew each time, troubles the collector. */
    private final List<ByteBuffer> full = new ArrayList<>();

    private ByteBuffer out = ByteBuffer.allocate(BYTES_AT_FIRST);
    private int count;

    private Copy(String statement) {
        this.statement = statement;
    }

    /** Copies into the table and columns into which the statement would insert. */
    static Copy instead(String insert) {
        var target = TARGET.matcher(insert);
        if (!target.lookingAt()) {
            throw new IllegalArgumentException("expected a statement that inserts, found " + insert);
        }
        return new Copy("copy " + target.group(1) + " from stdin (format text)");
    }

    @Override
    public void add(@Nullable Object... row) {
        for (int i = 0; i < row.length; i++) {
            if (i > 0) {
                room(1).put((byte) '\t');
            }
            put(row[i]);
        }
        room(1).put((byte) '\n');
        count++;
    }

    private void put(@Nullable Object value) {
        switch (value) {
            case null -> room(2).put((byte) '\\').put((byte) 'N');
            case Long number -> putNumber(number);
            case Integer number -> putNumber(number);
            case Short number -> putNumber(number);
            case Boolean flag -> room(1).put((byte) (flag ? 't' : 'f'));
            case String text -> putText(text);
            default ->
                throw new IllegalArgumentException("expected a number, a flag or text for " + statement + ", found "
                        + value.getClass().getSimpleName());
        }
    }

    private void putNumber(long number) {
        room(NUMBER_CHARS_MAX);
        String digits = Long.toString(number);
        for (int i = 0; i < digits.length(); i++) {
            out.put((byte) digits.charAt(i));
        }
    }

    private void putText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length != text.length() || !isPlain(bytes)) {
            putOther(text);
            return;
        }
        room(bytes.length).put(bytes);
    }

    /** Whether nothing has to be escaped, and no mark stands for what could not be encoded. */
    private static boolean isPlain(byte[] bytes) {
        boolean plain = true;
        for (byte each : bytes) {
            plain &= each != UNENCODABLE && !isSpecial(each);
        }
        return plain;
    }

    private void putOther(String text) {
        // A character becomes three bytes at the most, and what is escaped two.
        room(Math.multiplyExact(3, text.length()));
        int begin = out.position();
        utf8.reset();
        var result = utf8.encode(CharBuffer.wrap(text), out, true);
        if (result.isError()) {
            throw new IllegalArgumentException("expected text that UTF-8 can hold, found half a surrogate pair");
        }
        escape(begin);
    }

    /** Puts a backslash before what would end a value, from that place on. */
    private void escape(int begin) {
        int special = 0;
        for (int i = begin; i < out.position(); i++) {
            special += isSpecial(out.get(i)) ? 1 : 0;
        }
        if (special == 0) {
            return;
        }
        int from = out.position() - 1;
        int to = from + special;
        out.position(to + 1);
        for (; from >= begin; from--) {
            byte each = out.get(from);
            if (isSpecial(each)) {
                out.put(to--, letter(each));
                out.put(to--, (byte) '\\');
            } else {
                out.put(to--, each);
            }
        }
    }

    private static boolean isSpecial(byte each) {
        return each == '\\' || each == '\n' || each == '\t' || each == '\r';
    }

    private static byte letter(byte special) {
        return (byte)
                switch (special) {
                    case '\n' -> 'n';
                    case '\t' -> 't';
                    case '\r' -> 'r';
                    default -> special;
                };
    }

    /** Sees to it that so many bytes can follow in one piece. */
    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            full.add(out);
            out = ByteBuffer.allocate(Math.max(PIECE_BYTES, bytes));
        }
        return out;
    }

    @Override
    public void addTo(Trips trips) throws SQLException {
        if (count > 0) {
            trips.add(this);
        }
    }

    void execute(Connection connection) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
        try {
            for (ByteBuffer piece : full) {
                copy.writeToCopy(piece.array(), piece.arrayOffset(), piece.position());
            }
            copy.writeToCopy(out.array(), 0, out.position());
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
