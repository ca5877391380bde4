package dev.weir.postgres.sql;

import java.nio.ByteBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * New rows of one table, streamed to it in PostgreSQL's own binary form. The server appends them page by page, with one
 * record of its log for many rows, and has nothing to parse. It takes no rows this way from a role that row-level
 * security watches over.
 */
final class Copy implements Rows {
    private static final byte[] SIGNATURE = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    private static final Pattern TARGET = Pattern.compile("insert into (\\w+ \\([^)]*\\))");
    private static final short END = -1;
    private static final int NULL = -1;
    private static final int BYTES_AT_FIRST = 16 * 1024;

    private final String statement;
    /** Half a pair of surrogates is refused: what is read would not be what was written. */
    private final CharsetEncoder utf8 = StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);

    private ByteBuffer out = ByteBuffer.allocate(BYTES_AT_FIRST).put(SIGNATURE);
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
        return new Copy("copy " + target.group(1) + " from stdin (format binary)");
    }

    @Override
    public void add(@Nullable Object... row) {
        room(Short.BYTES).putShort((short) row.length);
        for (Object value : row) {
            put(value);
        }
        count++;
    }

    private void put(@Nullable Object value) {
        switch (value) {
            case null -> room(Integer.BYTES).putInt(NULL);
            case Long number ->
                room(Integer.BYTES + Long.BYTES).putInt(Long.BYTES).putLong(number);
            case Integer number -> room(2 * Integer.BYTES).putInt(Integer.BYTES).putInt(number);
            case Short number ->
                room(Integer.BYTES + Short.BYTES).putInt(Short.BYTES).putShort(number);
            case Boolean flag -> room(Integer.BYTES + 1).putInt(1).put((byte) (flag ? 1 : 0));
            case String text -> putText(text);
            default ->
                throw new IllegalArgumentException("expected a number, a flag or text for " + statement + ", found "
                        + value.getClass().getSimpleName());
        }
    }

    private void putText(String text) {
        room(Integer.BYTES + Math.multiplyExact(3, text.length()));
        int begin = out.position();
        out.putInt(0);
        utf8.reset();
        var result = utf8.encode(java.nio.CharBuffer.wrap(text), out, true);
        if (result.isError()) {
            throw new IllegalArgumentException("expected text that UTF-8 can hold, found half a surrogate pair");
        }
        out.putInt(begin, out.position() - begin - Integer.BYTES);
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            int size = Math.max(2 * out.capacity(), Math.addExact(out.position(), bytes));
            out = ByteBuffer.wrap(Arrays.copyOf(out.array(), size), 0, size).position(out.position());
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
        room(Short.BYTES).putShort(END);
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
        try {
            copy.writeToCopy(out.array(), 0, out.position());
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
