package dev.weir.postgres.journal;

import dev.weir.core.life.RunRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a tenure knows of organisations and runs without asking. Safe for many threads. */
final class AtHand {
    /** Runs that are kept at hand; others are looked up. */
    private static final int RUNS_MAX = 200_000;

    private final Map<String, Integer> organisations = new HashMap<>();
    private final Map<Writes.RunId, Known> runs = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Writes.RunId, Known> eldest) {
            return size() > RUNS_MAX;
        }
    };

    synchronized @Nullable Integer number(String org) {
        return organisations.get(org);
    }

    synchronized void number(String org, int number) {
        organisations.put(org, number);
    }

    /** Adds those of the runs that are known, and tells which are not. */
    synchronized Set<String> find(int org, Set<String> ids, Map<String, Known> into) {
        Set<String> missing = new HashSet<>();
        for (String id : ids) {
            Known known = runs.get(new Writes.RunId(org, id));
            if (known == null) {
                missing.add(id);
            } else {
                into.put(id, known);
            }
        }
        return missing;
    }

    /**
     * A run that is being accepted; told again, it is what it was.
     *
     * @param ahead whether all that comes after is made after this: only then is it known that there are no steps
     */
    synchronized Known accept(int org, RunRow row, boolean ahead) {
        Known accepted = ahead ? Known.accepted(row) : Known.moved(row);
        return runs.compute(
                new Writes.RunId(org, row.id()), (id, told) -> told != null && told.names(accepted) ? told : accepted);
    }

    synchronized void remember(int org, Map<String, Known> known) {
        known.forEach((id, as) -> runs.put(new Writes.RunId(org, id), as));
    }
}
