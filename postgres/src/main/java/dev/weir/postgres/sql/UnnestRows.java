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
    private static final Pattern PLACE = Pattern.compile("\\?::(\\w+)(\\[\\])?");

    private final String statement;
    private final List<Column> columns = new ArrayList<>();
    private int rows;

    /** The values for one parameter of the statement. A parameter that takes no list has one value. */
    private record Column(String type, boolean list, List<@Nullable Object> values) {
        void add(@Nullable Object value) {
            if (list || values.isEmpty()) {
                values.add(value);
            } else if (!Objects.equals(values.getFirst(), value)) {
                throw new IllegalArgumentException(
                        "expected " + values.getFirst() + " in all rows of the statement, found " + value);
            }
        }
    }

    public UnnestRows(String statement) {
        this.statement = statement;
        PLACE.matcher(statement)
                .results()
                .forEach(place -> columns.add(new Column(place.group(1), place.group(2) != null, new ArrayList<>())));
    }

    @Override
    public void add(@Nullable Object... row) {
        if (row.length != columns.size()) {
            throw new IllegalArgumentException(
                    "expected " + columns.size() + " values for " + statement + ", found " + row.length);
        }
        for (int i = 0; i < row.length; i++) {
            if (row[i] instanceof String text) {
                requireWhole(text);
            }
            columns.get(i).add(row[i]);
        }
        rows++;
    }

    /**
     * Refuses unpaired surrogates. The driver would write a question mark instead, and the text read would differ from
     * the text written.
     */
    private static void requireWhole(String text) {
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
    public void addTo(PipelinedTransaction trips) {
        if (rows > 0) {
            trips.add(this);
        }
    }

    String statement() {
        return statement;
    }

    /** Returns the statement with all rows set. */
    public PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        try {
            set(prepared, 1);
            return prepared;
        } catch (SQLException | RuntimeException e) {
            prepared.close();
            throw e;
        }
    }

    /** Sets the columns as parameters of a statement, beginning at that index. Returns the next index. */
    int set(PreparedStatement prepared, int first) throws SQLException {
        Connection connection = prepared.getConnection();
        int place = first;
        for (Column column : columns) {
            if (column.list) {
                prepared.setArray(place, connection.createArrayOf(column.type, array(column)));
            } else {
                prepared.setObject(place, column.values.getFirst());
            }
            place++;
        }
        return place;
    }

    /**
     * Returns the column as an array of one class. The driver sends such arrays in binary form, and mixed ones as text
     * that the server must parse.
     */
    private static @Nullable Object[] array(Column of) {
        List<@Nullable Object> column = of.values;
        return switch (of.type) {
            case "int" -> column.toArray(new Integer[0]);
            case "bigint" -> column.toArray(new Long[0]);
            case "smallint" -> column.toArray(new Short[0]);
            case "boolean" -> column.toArray(new Boolean[0]);
            case "text" -> column.toArray(new String[0]);
            default -> throw new IllegalArgumentException("expected a known type, found " + of.type);
        };
    }
}
