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
 * New rows of one table, inserted with COPY. The server appends them page by page, with one WAL record for many rows.
 * They are sent as text: with the binary format the server collects up to a thousand rows before it writes any, and
 * searches among those for each row. The server refuses COPY from a role that is subject to row-level security.
 */
final class CopyRows implements StatementRows {
    private static final Pattern TARGET = Pattern.compile("insert into (\\w+ \\([^)]*\\))");
    private static final int NUMBER_CHARS_MAX = 20;
    /** The character that Java writes in place of an unpaired surrogate. */
    private static final byte UNENCODABLE = '?';

    private static final int INITIAL_CHUNK_BYTES = 16 * 1024;
    private static final int CHUNK_BYTES = 128 * 1024;

    private final String statement;
    /** An encoder that refuses unpaired surrogates: the text read would differ from the text written. */
    private final CharsetEncoder utf8 = StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);

    /** The chunks that are full. One new array of several megabytes each time would strain the garbage collector. */
    private final List<ByteBuffer> fullChunks = new ArrayList<>();

    private ByteBuffer out = ByteBuffer.allocate(INITIAL_CHUNK_BYTES);
    private int count;

    private CopyRows(String statement) {
        this.statement = statement;
    }

    /** Creates a COPY into the table and columns of that insert statement. */
    static CopyRows forInsert(String insert) {
        var target = TARGET.matcher(insert);
        if (!target.lookingAt()) {
            throw new IllegalArgumentException("expected a statement that inserts, found " + insert);
        }
        return new CopyRows("copy " + target.group(1) + " from stdin (format text)");
    }

    @Override
    public void add(@Nullable Object... row) {
        for (int i = 0; i < row.length; i++) {
            if (i > 0) {
                reserve(1).put((byte) '\t');
            }
            put(row[i]);
        }
        reserve(1).put((byte) '\n');
        count++;
    }

    private void put(@Nullable Object value) {
        switch (value) {
            case null -> reserve(2).put((byte) '\\').put((byte) 'N');
            case Long number -> putNumber(number);
            case Integer number -> putNumber(number);
            case Short number -> putNumber(number);
            case Boolean flag -> reserve(1).put((byte) (flag ? 't' : 'f'));
            case String text -> putText(text);
            default ->
                throw new IllegalArgumentException("expected a number, a flag or text for " + statement + ", found "
                        + value.getClass().getSimpleName());
        }
    }

    private void putNumber(long number) {
        reserve(NUMBER_CHARS_MAX);
        String digits = Long.toString(number);
        for (int i = 0; i < digits.length(); i++) {
            out.put((byte) digits.charAt(i));
        }
    }

    private void putText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length != text.length() || !isPlain(bytes)) {
            putEscaped(text);
            return;
        }
        reserve(bytes.length).put(bytes);
    }

    /** True if no byte needs an escape and no byte may stand for an unencodable character. */
    private static boolean isPlain(byte[] bytes) {
        boolean plain = true;
        for (byte each : bytes) {
            plain &= each != UNENCODABLE && !isSpecial(each);
        }
        return plain;
    }

    private void putEscaped(String text) {
        // A character takes at most three bytes, and an escaped one two.
        reserve(Math.multiplyExact(3, text.length()));
        int begin = out.position();
        utf8.reset();
        var result = utf8.encode(CharBuffer.wrap(text), out, true);
        if (result.isError()) {
            throw new IllegalArgumentException("expected text that UTF-8 can hold, found half a surrogate pair");
        }
        escape(begin);
    }

    /** Puts a backslash before each byte that would end a value, from that position on. */
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
                out.put(to--, escapeLetter(each));
                out.put(to--, (byte) '\\');
            } else {
                out.put(to--, each);
            }
        }
    }

    private static boolean isSpecial(byte each) {
        return each == '\\' || each == '\n' || each == '\t' || each == '\r';
    }

    private static byte escapeLetter(byte special) {
        return (byte)
                switch (special) {
                    case '\n' -> 'n';
                    case '\t' -> 't';
                    case '\r' -> 'r';
                    default -> special;
                };
    }

    /** Makes room for that many contiguous bytes. */
    private ByteBuffer reserve(int bytes) {
        if (out.remaining() < bytes) {
            fullChunks.add(out);
            out = ByteBuffer.allocate(Math.max(CHUNK_BYTES, bytes));
        }
        return out;
    }

    @Override
    public void addTo(PipelinedTransaction transaction) throws SQLException {
        if (count > 0) {
            transaction.add(this);
        }
    }

    void execute(Connection connection) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
        try {
            for (ByteBuffer chunk : fullChunks) {
                copy.writeToCopy(chunk.array(), chunk.arrayOffset(), chunk.position());
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
