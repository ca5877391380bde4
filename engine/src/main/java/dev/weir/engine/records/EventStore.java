package dev.weir.engine.records;

import java.util.Optional;

/** Reads events and their outcomes. Safe for use by many threads. */
public interface EventStore {
    /** The number of events that are examined for one page, however few of them match the filter. */
    int EVENTS_EXAMINED_MAX = 5_000;

    /** Events, newest first, without their data. A page may be short or empty, and still be followed by another one. */
    RecordPage<EventRecord> events(String org, EventFilter filter, PageRequest page);

    Optional<EventRecord> findEvent(String org, String id);
}
