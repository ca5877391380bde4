package dev.weir.engine.live;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.limit.LimitId;
import dev.weir.core.run.Organisation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Reads the present levels of some keys of an organisation, between two commits. */
@FunctionalInterface
public interface KeyReader {
    /**
     * The number of keys that one query reads. A snapshot of a key takes about two microseconds, so a query takes well
     * under a millisecond of the shard's loop.
     */
    int KEYS_MAX = 100;

    CompletableFuture<List<ChangeEvent.KeyLevel>> read(String org, List<String> keys);

    /** Returns the levels of the keys, in the same order. A key that is not in use has the level zero. */
    static List<ChangeEvent.KeyLevel> levels(Organisation organisation, List<String> keys, long now) {
        List<LimitId.Key> ids = keys.stream().map(LimitId.Key::new).toList();
        Map<LimitId.Shared, LimitSnapshot> found = new HashMap<>();
        new OrganisationQueries(organisation, now).keys(ids).forEach(snapshot -> found.put(snapshot.limit(), snapshot));
        List<ChangeEvent.KeyLevel> levels = new ArrayList<>(ids.size());
        for (LimitId.Key id : ids) {
            LimitSnapshot snapshot = found.get(id);
            levels.add(
                    snapshot == null
                            ? new ChangeEvent.KeyLevel(id.name(), 0, 0, null, false, false, now)
                            : new ChangeEvent.KeyLevel(
                                    id.name(),
                                    snapshot.waiting(),
                                    snapshot.used(),
                                    snapshot.parallelism(),
                                    snapshot.paused(),
                                    snapshot.pin() != null,
                                    now));
        }
        return levels;
    }
}
