package dev.weir.postgres.journal;

import dev.weir.core.state.DebounceWindow;
import dev.weir.core.state.EventRows;
import dev.weir.core.state.PendingEvent;
import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.TriggerId;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Loads the events, debounce windows and schedules of an organisation that are under way. */
final class EventLoader {
    private static final SqlStatements SQL = SqlStatements.of(EventLoader.class);
    /** The number of rows fetched at once. It is small because the data of events can be large. */
    private static final int FETCH_ROWS = 250;

    private final OrganisationReader reader;
    private final int org;

    EventLoader(OrganisationReader reader, int org) {
        this.reader = reader;
        this.org = org;
    }

    /** Reads one row. */
    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet found) throws SQLException;
    }

    EventRows read() throws SQLException {
        List<PendingEvent> pending = readAll("pending_events", EventColumns::readPending);
        List<DebounceWindow> windows = readAll("open_windows", EventColumns::readWindow);
        SortedMap<TriggerId, ScheduleRow> schedules = new TreeMap<>();
        readAll("schedules", EventColumns::readSchedule).forEach(row -> schedules.put(row.trigger(), row));
        long lastEvent = readAll("last_event", found -> found.getLong(1)).getFirst();
        long lastWindow = readAll("last_window", found -> found.getLong(1)).getFirst();
        return new EventRows(pending, windows, schedules, lastEvent, lastWindow);
    }

    private <T> List<T> readAll(String name, RowReader<T> rowReader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (PreparedStatement statement = reader.connection.prepareStatement(SQL.get(name))) {
            statement.setFetchSize(FETCH_ROWS);
            statement.setInt(1, org);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    reader.recordRow(found);
                    rows.add(rowReader.read(found));
                }
            }
        }
        return rows;
    }
}
