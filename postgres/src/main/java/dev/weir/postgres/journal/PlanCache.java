package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A cache of compiled plans. All runs of a workflow version share one plan. Thread-safe. */
public final class PlanCache {
    /** The most plans in the cache. The least recently used ones are evicted first. */
    static final int PLANS_MAX = 10_000;

    /** A version of a workflow. */
    record Key(int org, String workflow, int version) {}

    /** Reads the text of a definition; null if there is none. */
    @FunctionalInterface
    public interface DefinitionSource {
        @org.jspecify.annotations.Nullable
        String read() throws SQLException;
    }

    private final Map<Key, Plan> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Plan> eldest) {
            return size() > PLANS_MAX;
        }
    };

    public Plan get(int org, String workflow, int version, DefinitionSource definition) throws SQLException {
        var key = new Key(org, workflow, version);
        synchronized (plans) {
            Plan cached = plans.get(key);
            if (cached != null) {
                return cached;
            }
        }
        String text = definition.read();
        if (text == null) {
            throw new IllegalArgumentException(
                    "expected version " + version + " of workflow " + workflow + ", found no such version");
        }
        Plan compiled = Plan.of(WorkflowReader.readStored(text).orThrow(), version);
        synchronized (plans) {
            Plan existing = plans.putIfAbsent(key, compiled);
            return existing == null ? compiled : existing;
        }
    }
}
