package dev.weir.postgres.journal;

import dev.weir.core.state.DebounceWindow;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.PendingEvent;
import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.EventJson;
import dev.weir.postgres.json.StoredJson;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads rows of events, debounce windows and schedules. */
public final class EventColumns {
    private EventColumns() {}

    /** Reads the columns of an event. */
    public static EventRow readEvent(ResultSet found) throws SQLException {
        String run = found.getString("emitted_run");
        return new EventRow(
                found.getLong("number"),
                found.getString("id"),
                found.getString("name"),
                found.getString("source"),
                StoredJson.read(found.getString("data")),
                run == null ? null : new UnitId(run, found.getString("emitted_step"), found.getInt("emitted_item")),
                EventJson.readLineage(found.getString("lineage")),
                found.getLong("at"));
    }

    static PendingEvent readPending(ResultSet found) throws SQLException {
        int handled = found.getInt("count");
        TriggerId handledTo = handled == 0 ? null : trigger(found);
        return new PendingEvent(readEvent(found), handledTo, handled);
    }

    static DebounceWindow readWindow(ResultSet found) throws SQLException {
        return new DebounceWindow(
                found.getLong("window"),
                trigger(found),
                found.getString("key"),
                found.getLong("opened_at"),
                found.getLong("due"),
                found.getInt("events"),
                readEvent(found));
    }

    static ScheduleRow readSchedule(ResultSet found) throws SQLException {
        return new ScheduleRow(
                trigger(found), found.getLong("handled_to"), found.getString("last_run"), found.getString("problem"));
    }

    public static TriggerId trigger(ResultSet found) throws SQLException {
        return new TriggerId(found.getString("workflow"), found.getString("trigger"));
    }
}
