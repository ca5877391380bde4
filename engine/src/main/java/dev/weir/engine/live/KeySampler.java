package dev.weir.engine.live;

import dev.weir.core.state.Move;
import dev.weir.engine.live.KeySeries.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Samples the keys of all organisations every ten seconds. The shards' loops only count starts. The levels are read
 * from them in small queries, and only for organisations whose keys were used since the last sample: without a commit,
 * no level changes.
 */
final class KeySampler {
    static final Duration INTERVAL = KeyHistory.INTERVAL;
    /** The memory for all series of a node, in bytes. The counts of the current slot come on top. */
    static final long BYTES_MAX = 56L << 20;
    /** The number of keys of one organisation whose levels are read for one sample. */
    static final int KEYS_MAX = 20_000;

    private static final long ANSWER_TIMEOUT_MILLIS = 2_000;

    private final KeyReader reader;
    private final long bytesMax;
    private final Map<String, OrganisationKeys> organisations = new ConcurrentHashMap<>();
    private final AtomicInteger countedKeys = new AtomicInteger();
    /** The steps that started since the last sample, by organisation. */
    private final Map<String, Integer> startsByOrg = new ConcurrentHashMap<>();

    private volatile Map<String, Integer> latestStarts = Map.of();
    private volatile long lastSlot = Long.MIN_VALUE;

    KeySampler(KeyReader reader, long bytesMax) {
        this.reader = reader;
        this.bytesMax = bytesMax;
    }

    static long slotOf(long millis) {
        return Math.floorDiv(millis, INTERVAL.toMillis());
    }

    /** Counts the keys of committed moves. Called by the shard's loop. */
    void record(int shard, String org, List<Move> moves) {
        int granted = 0;
        for (Move move : moves) {
            boolean started = move instanceof Move.Granted;
            granted += started ? 1 : 0;
            MoveEvents.forEachKey(
                    move,
                    key -> organisations
                            .computeIfAbsent(org, ignored -> new OrganisationKeys(shard, countedKeys))
                            .count(key, started));
        }
        if (granted > 0) {
            startsByOrg.merge(org, granted, Integer::sum);
        }
    }

    void forgetLevels(int shard) {
        organisations.values().stream().filter(each -> each.shard == shard).forEach(OrganisationKeys::forgetLevels);
    }

    /** Stores a sample of every active key for a slot that has ended. */
    void sample(long slot) throws InterruptedException {
        if (slot <= lastSlot) {
            return;
        }
        boolean readable = true;
        for (Map.Entry<String, OrganisationKeys> each : organisations.entrySet()) {
            readable = sample(each.getKey(), each.getValue(), slot, readable);
            organisations.computeIfPresent(each.getKey(), (org, keys) -> keys.isIdle() ? null : keys);
        }
        removeLeastBusy();
        latestStarts = takeStarts();
        lastSlot = slot;
    }

    private Map<String, Integer> takeStarts() {
        Map<String, Integer> taken = new HashMap<>();
        for (String org : List.copyOf(startsByOrg.keySet())) {
            Integer count = startsByOrg.remove(org);
            if (count != null) {
                taken.put(org, count);
            }
        }
        return taken;
    }

    /** Returns the number of steps of an organisation that started within the last slot. */
    int latestStarts(String org) {
        return latestStarts.getOrDefault(org, 0);
    }

    /** Returns false if the engine does not answer in time, so that the others are not asked in vain. */
    private boolean sample(String org, OrganisationKeys keys, long slot, boolean readable) throws InterruptedException {
        Map<String, Integer> starts = keys.takeStarts();
        keys.removeOld(slot);
        Set<String> active = new LinkedHashSet<>(starts.keySet());
        active.addAll(keys.liveKeys());
        boolean answered = readable;
        List<String> all = List.copyOf(active);
        for (int from = 0; from < all.size(); from += KeyReader.KEYS_MAX) {
            List<String> part = all.subList(from, Math.min(all.size(), from + KeyReader.KEYS_MAX));
            List<ChangeEvent.KeyLevel> levels = List.of();
            if (answered && !starts.isEmpty() && from < KEYS_MAX) {
                try {
                    levels = reader.read(org, part).get(ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    answered = false;
                } catch (ExecutionException e) {
                    // The organisation cannot be read now. Its last levels are repeated.
                    levels = List.of();
                }
            }
            store(keys, slot, part, levels, starts);
        }
        return answered;
    }

    private static void store(
            OrganisationKeys keys,
            long slot,
            List<String> names,
            List<ChangeEvent.KeyLevel> levels,
            Map<String, Integer> starts) {
        for (int i = 0; i < names.size(); i++) {
            KeySeries series = keys.of(names.get(i));
            int started = starts.getOrDefault(names.get(i), 0);
            series.add(
                    levels.isEmpty()
                            ? series.repeat(slot, started)
                            : new Sample(
                                    slot, levels.get(i).waiting(), levels.get(i).used(), started));
        }
    }

    /** Frees memory where most is used: the least busy keys of the organisation with the most series go first. */
    private void removeLeastBusy() {
        List<OrganisationKeys> all = new ArrayList<>(organisations.values());
        long excess = bytes() - bytesMax;
        while (excess > 0) {
            OrganisationKeys largest = all.stream()
                    .max(Comparator.comparingLong(OrganisationKeys::bytes))
                    .orElseThrow();
            long share = Math.max(largest.bytes() / 16, largest.bytes() - bytesMax / all.size());
            excess -= largest.removeLeastBusy(Math.min(excess, share));
        }
    }

    /** The memory that all series occupy, in bytes. */
    long bytes() {
        return organisations.values().stream()
                .mapToLong(OrganisationKeys::bytes)
                .sum();
    }

    /** Returns a summary of the last hour of a key; empty if it was not active. */
    Optional<KeyTrend> trend(String org, String key, Duration pace) {
        int slots = Math.clamp(pace.dividedBy(INTERVAL), 1, KeySeries.SLOTS_MAX);
        return Optional.ofNullable(organisations.get(org))
                .flatMap(keys -> keys.find(key))
                .map(series -> series.trend(lastSlot, slots));
    }

    /** Returns the samples of a key in the last hour, oldest first; empty if it was not active. */
    Optional<List<Sample>> find(String org, String key) {
        return Optional.ofNullable(organisations.get(org))
                .flatMap(keys -> keys.find(key))
                .map(series -> series.samples(lastSlot));
    }
}
