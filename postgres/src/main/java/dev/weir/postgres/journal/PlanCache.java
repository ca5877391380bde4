package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cache of compiled plans. All runs of a workflow version share one plan. The least recently used plans are evicted
 * first; an organisation that uses more than its share evicts its own. Thread-safe.
 */
public final class PlanCache {
    /** The most plans in the cache. */
    static final int PLANS_MAX = 10_000;
    /** The most characters that the definitions of all plans in the cache have. */
    static final long DEFINITION_CHARS_MAX = 32L << 20;
    /** The most characters that the definitions of one organisation's plans have. */
    static final long ORGANISATION_CHARS_MAX = DEFINITION_CHARS_MAX / 4;

    /** A version of a workflow. */
    record Key(int org, String workflow, int version) {}

    /** A plan, and the length of its definition. */
    private record CachedPlan(Plan plan, int chars) {}

    /** Reads the text of a definition; null if there is none. */
    @FunctionalInterface
    public interface DefinitionSource {
        @Nullable
        String read() throws SQLException;
    }

    private final long charsMax;
    private final long organisationCharsMax;
    /** The plans, least recently used first. */
    private final Map<Key, CachedPlan> plans = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Integer, Long> charsByOrg = new HashMap<>();
    private long chars;

    public PlanCache() {
        this(DEFINITION_CHARS_MAX, ORGANISATION_CHARS_MAX);
    }

    PlanCache(long charsMax, long organisationCharsMax) {
        this.charsMax = charsMax;
        this.organisationCharsMax = organisationCharsMax;
    }

    public Plan get(int org, String workflow, int version, DefinitionSource definition) throws SQLException {
        var key = new Key(org, workflow, version);
        Plan cached = find(key);
        if (cached != null) {
            return cached;
        }
        String text = definition.read();
        if (text == null) {
            throw new IllegalArgumentException(
                    "expected version " + version + " of workflow " + workflow + ", found no such version");
        }
        return add(key, Plan.of(WorkflowReader.readStored(text).orThrow(), version), text.length());
    }

    private synchronized @Nullable Plan find(Key key) {
        CachedPlan cached = plans.get(key);
        return cached == null ? null : cached.plan;
    }

    private synchronized Plan add(Key key, Plan compiled, int definitionChars) {
        CachedPlan existing = plans.get(key);
        if (existing != null) {
            return existing.plan;
        }
        evict(other -> other.org == key.org, () -> charsOf(key.org) + definitionChars > organisationCharsMax);
        evict(other -> true, () -> plans.size() >= PLANS_MAX || chars + definitionChars > charsMax);
        plans.put(key, new CachedPlan(compiled, definitionChars));
        count(key.org, definitionChars);
        return compiled;
    }

    private long charsOf(int org) {
        return charsByOrg.getOrDefault(org, 0L);
    }

    /** Evicts the least recently used of these plans while there is too much. */
    private void evict(Predicate<Key> candidates, BooleanSupplier isTooMuch) {
        for (var each = plans.entrySet().iterator(); isTooMuch.getAsBoolean() && each.hasNext(); ) {
            Map.Entry<Key, CachedPlan> eldest = each.next();
            if (candidates.test(eldest.getKey())) {
                each.remove();
                count(eldest.getKey().org, -eldest.getValue().chars);
            }
        }
    }

    private void count(int org, int added) {
        chars += added;
        charsByOrg.merge(org, (long) added, Long::sum);
        charsByOrg.remove(org, 0L);
    }

    /** The number of plans in the cache. */
    synchronized int size() {
        return plans.size();
    }
}
