package dev.weir.engine.live;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The keys of one organisation that were active in the last hour: their series, and the counts of the current slot. */
final class OrganisationKeys {
    /** The number of keys that a node counts within one slot. */
    static final int COUNTED_MAX = 40_000;

    final int shard;
    private final Map<String, KeySeries> series = new ConcurrentHashMap<>();
    /** The number of keys that all organisations of the node count now. */
    private final AtomicInteger countedKeys;

    private Map<String, Integer> starts = new HashMap<>();

    OrganisationKeys(int shard, AtomicInteger countedKeys) {
        this.shard = shard;
        this.countedKeys = countedKeys;
    }

    /** Records that a key was used, and counts the start if it was one. Called by the shard's loop. */
    synchronized void count(String key, boolean started) {
        Integer before = starts.get(key);
        if (before == null) {
            if (countedKeys.get() >= COUNTED_MAX && !series.containsKey(key)) {
                return;
            }
            countedKeys.incrementAndGet();
        }
        starts.put(key, (before == null ? 0 : before) + (started ? 1 : 0));
    }

    /** Returns the starts by key since the last call. */
    synchronized Map<String, Integer> takeStarts() {
        Map<String, Integer> taken = starts;
        starts = new HashMap<>();
        countedKeys.addAndGet(-taken.size());
        return taken;
    }

    synchronized boolean isIdle() {
        return starts.isEmpty() && series.isEmpty();
    }

    KeySeries of(String key) {
        return series.computeIfAbsent(key, KeySeries::new);
    }

    Optional<KeySeries> find(String key) {
        @Nullable KeySeries found = series.get(key);
        return Optional.ofNullable(found);
    }

    /** Returns the keys that were in use at the last sample. */
    List<String> liveKeys() {
        return series.entrySet().stream()
                .filter(entry -> entry.getValue().isLive())
                .map(Map.Entry::getKey)
                .toList();
    }

    void removeOld(long slot) {
        series.values().removeIf(each -> each.removeOld(slot));
    }

    void forgetLevels() {
        series.values().forEach(KeySeries::forgetLevel);
    }

    long bytes() {
        return series.values().stream().mapToLong(KeySeries::bytes).sum();
    }

    /** Drops the series of the least busy keys until so many bytes are free. Returns the bytes that were freed. */
    long removeLeastBusy(long bytes) {
        // The activity is read once for each key, because it may change during the sort.
        Map<String, Long> activity = new HashMap<>();
        series.forEach((key, each) -> activity.put(key, each.activity()));
        long freed = 0;
        for (String key : activity.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .map(Map.Entry::getKey)
                .toList()) {
            if (freed >= bytes) {
                break;
            }
            KeySeries removed = series.remove(key);
            freed += removed == null ? 0 : removed.bytes();
        }
        return freed;
    }
}
