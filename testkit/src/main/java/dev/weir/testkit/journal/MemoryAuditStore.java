package dev.weir.testkit.journal;

import dev.weir.core.state.AuditEntry;
import dev.weir.engine.records.AuditFilter;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the audit chains of a journal in memory. Its administration has no entries. */
final class MemoryAuditStore implements AuditStore {
    private final Function<String, List<AuditEntry>> entriesOf;

    MemoryAuditStore(Function<String, List<AuditEntry>> entriesOf) {
        this.entriesOf = entriesOf;
    }

    private List<AuditEntry> all(String org) {
        return org.equals(ADMINISTRATION) ? List.of() : entriesOf.apply(org);
    }

    @Override
    public RecordPage<AuditEntry> entries(String org, AuditFilter filter, PageRequest page) {
        long before = page.cursor().isEmpty() ? Long.MAX_VALUE : Long.parseLong(page.cursor());
        List<AuditEntry> found = all(org).reversed().stream()
                .filter(entry -> entry.number() < before && matches(entry, filter))
                .toList();
        boolean isFull = found.size() > page.limit();
        List<AuditEntry> entries = isFull ? found.subList(0, page.limit()) : found;
        return new RecordPage<>(
                entries, isFull ? String.valueOf(entries.getLast().number()) : "");
    }

    private static boolean matches(AuditEntry entry, AuditFilter filter) {
        return isEqualOrAbsent(filter.actor(), entry.by().actor())
                && isEqualOrAbsent(filter.action(), entry.change().action())
                && isEqualOrAbsent(filter.target(), entry.change().target())
                && entry.at() >= filter.since()
                && entry.at() < filter.until();
    }

    private static boolean isEqualOrAbsent(@Nullable String expected, String found) {
        return expected == null || expected.equals(found);
    }

    @Override
    public List<AuditEntry> newest(String org, List<String> actions, List<String> targets) {
        Map<List<String>, AuditEntry> newest = new LinkedHashMap<>();
        for (AuditEntry entry :
                all(org).reversed().stream().limit(ENTRIES_EXAMINED_MAX).toList()) {
            String action = entry.change().action();
            String target = entry.change().target();
            if (actions.contains(action) && targets.contains(target)) {
                newest.putIfAbsent(List.of(action, target), entry);
            }
        }
        return List.copyOf(newest.values());
    }

    @Override
    public List<AuditEntry> chain(String org, long after, int limit) {
        return all(org).stream()
                .filter(entry -> entry.number() > after)
                .limit(limit)
                .toList();
    }
}
