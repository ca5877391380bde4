package dev.weir.postgres.records;

import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.TriggerId;
import dev.weir.engine.records.EventFilter;
import dev.weir.engine.records.EventRecord;
import dev.weir.engine.records.EventStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.postgres.journal.EventColumns;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Reads events as a database role that sees only the requested organisation. */
final class PostgresEventStore implements EventStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresEventStore.class);

    private final ConnectionPool pool;
    private final ToIntFunction<String> numberOf;

    PostgresEventStore(ConnectionPool pool, ToIntFunction<String> numberOf) {
        this.pool = pool;
        this.numberOf = numberOf;
    }

    /** An event without its outcomes. */
    private record FoundEvent(EventRow event, boolean delivered) {}

    @Override
    public RecordPage<EventRecord> events(String org, EventFilter filter, PageRequest page) {
        long before = PostgresRecords.cursor(page, Long.MAX_VALUE);
        int number = numberOf.applyAsInt(org);
        return pool.runAsRequest("reading events of " + org, number, connection -> {
            SearchRange range = findRange(connection, number, before);
            List<FoundEvent> found = list(connection, number, filter, range, page.limit() + 1);
            boolean isFull = found.size() > page.limit();
            List<EventRecord> entries =
                    withOutcomes(connection, number, isFull ? found.subList(0, page.limit()) : found);
            String next = isFull
                    ? String.valueOf(entries.getLast().event().number())
                    : range.isLast ? "" : String.valueOf(range.from);
            return new RecordPage<>(entries, next);
        });
    }

    /**
     * The range of events that is searched for one page.
     *
     * @param from the oldest event
     * @param before the upper bound
     * @param isLast true if there are no older events
     */
    private record SearchRange(long from, long before, boolean isLast) {}

    private static SearchRange findRange(Connection connection, int org, long before) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("oldest_examined"))) {
            statement.setInt(1, org);
            statement.setLong(2, before);
            statement.setInt(3, EVENTS_EXAMINED_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return new SearchRange(found.getLong("oldest"), before, found.getInt("examined") < EVENTS_EXAMINED_MAX);
            }
        }
    }

    private static List<FoundEvent> list(
            Connection connection, int org, EventFilter filter, SearchRange range, int limit) throws SQLException {
        String outcome = filter.outcome() == null ? null : filter.outcome().word();
        try (var statement = connection.prepareStatement(SQL.get("events"))) {
            int index = 1;
            statement.setInt(index++, org);
            statement.setLong(index++, range.from);
            statement.setLong(index++, range.before);
            statement.setString(index++, filter.name());
            statement.setString(index++, filter.name());
            statement.setBoolean(index++, filter.withoutTrigger());
            for (int i = 0; i < 2; i++) {
                statement.setString(index++, filter.workflow());
                statement.setString(index++, outcome);
            }
            statement.setString(index++, filter.workflow());
            statement.setString(index++, outcome);
            statement.setInt(index, limit);
            return read(statement);
        }
    }

    private static List<FoundEvent> read(PreparedStatement statement) throws SQLException {
        List<FoundEvent> events = new ArrayList<>();
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                found.getInt("triggers");
                boolean delivered = !found.wasNull();
                events.add(new FoundEvent(EventColumns.readEvent(found), delivered));
            }
        }
        return events;
    }

    @Override
    public Optional<EventRecord> findEvent(String org, String id) {
        int number = numberOf.applyAsInt(org);
        return pool.runAsRequest("reading event " + id + " of " + org, number, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("find_event"))) {
                statement.setInt(1, number);
                statement.setString(2, id);
                return withOutcomes(connection, number, read(statement)).stream()
                        .findFirst();
            }
        });
    }

    private static List<EventRecord> withOutcomes(Connection connection, int org, List<FoundEvent> events)
            throws SQLException {
        Map<Long, List<EventRecord.Handled>> outcomes = new HashMap<>();
        Long[] numbers = events.stream().map(found -> found.event.number()).toArray(Long[]::new);
        try (var statement = connection.prepareStatement(SQL.get("outcomes"))) {
            statement.setInt(1, org);
            statement.setArray(2, connection.createArrayOf("bigint", numbers));
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    outcomes.computeIfAbsent(found.getLong("event"), ignored -> new ArrayList<>())
                            .add(handled(found));
                }
            }
        }
        return events.stream()
                .map(found -> new EventRecord(
                        found.event, found.delivered, outcomes.getOrDefault(found.event.number(), List.of())))
                .toList();
    }

    private static EventRecord.Handled handled(ResultSet found) throws SQLException {
        TriggerId trigger = EventColumns.trigger(found);
        var outcome = new EventOutcome(
                trigger,
                kind(found.getString("outcome")),
                found.getString("run"),
                found.getLong("window"),
                found.getString("reason"));
        return new EventRecord.Handled(outcome, window(found, trigger));
    }

    private static EventRecord.@Nullable WindowState window(ResultSet found, TriggerId trigger) throws SQLException {
        String key = found.getString("key");
        String result = found.getString("result");
        return key == null
                ? null
                : new EventRecord.WindowState(
                        key,
                        found.getLong("due"),
                        found.getInt("events"),
                        found.getLong("last_event") == found.getLong("event"),
                        result == null
                                ? null
                                : new EventOutcome(
                                        trigger,
                                        kind(result),
                                        found.getString("window_run"),
                                        EventOutcome.NO_WINDOW,
                                        found.getString("window_reason")));
    }

    private static EventOutcome.Kind kind(String word) {
        return EventOutcome.Kind.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
