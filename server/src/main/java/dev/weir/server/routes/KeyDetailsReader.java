package dev.weir.server.routes;

import dev.weir.api.Keys.KeyChange;
import dev.weir.api.Keys.KeyDetails;
import dev.weir.api.Keys.KeyView;
import dev.weir.api.Keys.RateStart;
import dev.weir.core.explain.KeySnapshot;
import dev.weir.core.limit.CountedStart;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.AuditEntry;
import dev.weir.engine.live.KeyTrend;
import dev.weir.server.view.BacklogPace;
import dev.weir.server.view.KeyViews;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds to the state of keys what happened before: their last hour, and the operators' changes that are in force. It
 * reads the node's memory and the audit, and never waits for the shard's loop.
 */
final class KeyDetailsReader {
    private static final String PAUSE = "pause_key";
    private static final String PIN = "pin_key";

    private final EngineGateway engine;

    KeyDetailsReader(EngineGateway engine) {
        this.engine = engine;
    }

    /** Returns the keys of a list with their details. */
    List<KeyView> list(String org, List<KeySnapshot> keys, long now) {
        Changes changes = changes(org, keys);
        return keys.stream()
                .map(key -> KeyViews.key(key, details(org, key, changes, null, now), now))
                .toList();
    }

    /** Returns one key with its details. */
    KeyView one(String org, KeySnapshot key, List<CountedStart> starts, long now) {
        List<RateStart> views = starts.stream()
                .map(start -> new RateStart(Moment.toInstant(start.at()), start.cost()))
                .toList();
        return KeyViews.key(key, details(org, key, changes(org, List.of(key)), views, now), now);
    }

    private KeyDetails details(
            String org, KeySnapshot key, Changes changes, @Nullable List<RateStart> starts, long now) {
        Duration period = BacklogPace.period(key.limit().rate());
        Optional<KeyTrend> trend = engine.weir().activity().trend(org, KeyViews.name(key.limit()), period);
        BacklogPace pace = BacklogPace.of(key, trend.orElse(null), now);
        String target = key.limit().limit().text();
        return new KeyDetails(
                trend.filter(each -> !each.isQuiet()).map(KeyTrend::waiting).orElse(null),
                pace.startsPerMinute(),
                pace.emptyAt(),
                key.pausedUntil() == null ? null : changes.find(PAUSE, target),
                key.limit().pin() == null ? null : changes.find(PIN, target),
                starts);
    }

    /** Finds the changes that paused or pinned keys. Keys that are neither cost nothing. */
    private Changes changes(String org, List<KeySnapshot> keys) {
        List<String> targets = keys.stream()
                .filter(key -> key.pausedUntil() != null || key.limit().pin() != null)
                .map(key -> key.limit().limit())
                .filter(LimitId.Key.class::isInstance)
                .map(LimitId.Shared::text)
                .toList();
        Map<List<String>, KeyChange> found = new HashMap<>();
        if (!targets.isEmpty()) {
            for (AuditEntry entry : engine.weir().records().audit().newest(org, List.of(PAUSE, PIN), targets)) {
                found.put(List.of(entry.change().action(), entry.change().target()), change(entry));
            }
        }
        return new Changes(found);
    }

    private static KeyChange change(AuditEntry entry) {
        return new KeyChange(
                entry.by().actor(), Moment.toInstant(entry.at()), entry.by().reason());
    }

    private record Changes(Map<List<String>, KeyChange> found) {
        @Nullable
        KeyChange find(String action, String target) {
            return found.get(List.of(action, target));
        }
    }
}
