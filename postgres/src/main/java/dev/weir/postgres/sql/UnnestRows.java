package dev.weir.postgres.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Many rows for one statement, sent column by column. Each {@code ?::type[]} of the statement takes one column, and
 * each {@code ?::type} a value that is the same in all rows. One round trip writes all of them.
 */
public final class UnnestRows implements StatementRows {
    private static final Pattern PARAMETER = Pattern.compile("\\?::(\\w+)(\\[\\])?");

    private final String statement;
    private final List<Column> columns = new ArrayList<>();
    private int rowCount;

    /** The values for one parameter of the statement. A parameter that takes no list has one value. */
    private record Column(String type, boolean isList, List<@Nullable Object> values) {
        void add(@Nullable Object value) {
            if (isList || values.isEmpty()) {
                values.add(value);
            } else if (!Objects.equals(values.getFirst(), value)) {
                throw new IllegalArgumentException(
                        "expected " + values.getFirst() + " in all rows of the statement, found " + value);
            }
        }
    }

    public UnnestRows(String statement) {
        this.statement = statement;
        PARAMETER
                .matcher(statement)
                .results()
                .forEach(parameter ->
                        columns.add(new Column(parameter.group(1), parameter.group(2) != null, new ArrayList<>())));
    }

    @Override
    public void add(@Nullable Object... row) {
        if (row.length != columns.size()) {
            throw new IllegalArgumentException(
                    "expected " + columns.size() + " values for " + statement + ", found " + row.length);
        }
        for (int i = 0; i < row.length; i++) {
            if (row[i] instanceof String text) {
                requirePairedSurrogates(text);
            }
            columns.get(i).add(row[i]);
        }
        rowCount++;
    }

    /**
     * Refuses unpaired surrogates. The driver would write a question mark instead, and the text read would differ from
     * the text written.
     */
    private static void requirePairedSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isSurrogate(each)) {
                boolean pair = Character.isHighSurrogate(each)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw new IllegalArgumentException(
                            "expected text that UTF-8 can represent, found half a surrogate pair ("
                                    + Integer.toHexString(each) + ") at character " + i);
                }
                i++;
            }
        }
    }

    @Override
    public void addTo(PipelinedTransaction transaction) {
        if (rowCount > 0) {
            transaction.add(this);
        }
    }

    String statement() {
        return statement;
    }

    /** Returns the statement with all rows set. */
    public PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        try {
            bind(prepared, 1);
            return prepared;
        } catch (SQLException | RuntimeException e) {
            prepared.close();
            throw e;
        }
    }

    /** Sets the columns as parameters of a statement, beginning at that index. Returns the next index. */
    int bind(PreparedStatement prepared, int first) throws SQLException {
        Connection connection = prepared.getConnection();
        int parameter = first;
        for (Column column : columns) {
            if (column.isList) {
                prepared.setArray(parameter, connection.createArrayOf(column.type, toArray(column)));
            } else {
                prepared.setObject(parameter, column.values.getFirst());
            }
            parameter++;
        }
        return parameter;
    }

    /**
     * Returns the column as an array of one class. The driver sends such arrays in binary form, and mixed ones as text
     * that the server must parse.
     */
    private static @Nullable Object[] toArray(Column source) {
        List<@Nullable Object> column = source.values;
        return switch (source.type) {
            case "int" -> column.toArray(new Integer[0]);
            case "bigint" -> column.toArray(new Long[0]);
            case "smallint" -> column.toArray(new Short[0]);
            case "boolean" -> column.toArray(new Boolean[0]);
            case "text" -> column.toArray(new String[0]);
            default -> throw new IllegalArgumentException("expected a known type, found " + source.type);
        };
    }
}
