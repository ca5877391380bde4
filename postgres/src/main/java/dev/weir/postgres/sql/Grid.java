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
 * Many rows for one statement, handed over column by column: each {@code ?::type[]} of the statement takes one column, and
 * each {@code ?::type} what is the same in all rows. So one round trip writes them all.
 */
public final class Grid implements Rows {
    private static final Pattern PLACE = Pattern.compile("\\?::(\\w+)(\\[\\])?");

    private final String statement;
    private final List<Column> columns = new ArrayList<>();
    private int rows;

    /** The values for one place of the statement; of one that takes no list there is one. */
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

    public Grid(String statement) {
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

    /** The driver would write a question mark for half a pair, and what is read would not be what was written. */
    private static void requireWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isSurrogate(each)) {
                boolean pair = Character.isHighSurrogate(each)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw new IllegalArgumentException(
                            "expected text that UTF-8 can hold, found half a surrogate pair ("
                                    + Integer.toHexString(each) + ") at character " + i);
                }
                i++;
            }
        }
    }

    @Override
    public void addTo(Trips trips) {
        if (rows > 0) {
            trips.add(this);
        }
    }

    String statement() {
        return statement;
    }

    /** The statement with all rows put in. */
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

    /** Puts its columns into the places of a statement from that one on; tells which is the next. */
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

    /** Arrays of one class go over in the server's own form; of several, as text that it has to parse. */
    private static @Nullable Object[] array(Column of) {
        List<@Nullable Object> column = of.values;
        return switch (of.type) {
            case "int" -> column.toArray(new Integer[0]);
            case "bigint" -> column.toArray(new Long[0]);
            case "smallint" -> column.toArray(new Short[0]);
            case "boolean" -> column.toArray(new Boolean[0]);
            case "text" -> column.toArray(new String[0]);
            default -> throw new IllegalArgumentException("expected a type that is known, found " + of.type);
        };
    }
}
