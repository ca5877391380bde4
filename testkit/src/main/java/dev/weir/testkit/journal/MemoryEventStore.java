package dev.weir.testkit.journal;

import dev.weir.engine.records.EventFilter;
import dev.weir.engine.records.EventRecord;
import dev.weir.engine.records.EventStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the events of a journal in memory. */
final class MemoryEventStore implements EventStore {
    private final Function<String, List<EventRecord>> eventsOf;

    MemoryEventStore(Function<String, List<EventRecord>> eventsOf) {
        this.eventsOf = eventsOf;
    }

    @Override
    public RecordPage<EventRecord> events(String org, EventFilter filter, PageRequest page) {
        long before = page.cursor().isEmpty() ? Long.MAX_VALUE : Long.parseLong(page.cursor());
        List<EventRecord> found = eventsOf.apply(org).reversed().stream()
                .filter(event -> event.event().number() < before && filter.matches(event))
                .toList();
        boolean isFull = found.size() > page.limit();
        List<EventRecord> entries = isFull ? found.subList(0, page.limit()) : found;
        return new RecordPage<>(
                entries, isFull ? String.valueOf(entries.getLast().event().number()) : "");
    }

    @Override
    public Optional<EventRecord> findEvent(String org, String id) {
        return eventsOf.apply(org).stream()
                .filter(event -> event.event().id().equals(id))
                .findFirst();
    }
}
