package dev.weir.engine.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Turns moves that concern keys into changes of their levels. It collects the keys that were touched, reads their levels
 * from the shard in rounds, and reports those that differ. So a key causes at most four changes a second, however often
 * it is used. One thread uses it.
 */
final class KeyLevels {
    /** The time between the starts of two rounds. */
    static final Duration ROUND = Duration.ofMillis(250);
    /** The number of keys whose levels are remembered, and the number that may wait for a round. */
    static final int KEYS_MAX = 10_000;

    private final String org;
    private final KeyReader reader;
    private final Runnable wake;
    private final Set<String> touched = new LinkedHashSet<>();
    /** The levels that were reported last; the one that was read the longest ago comes first. */
    private final Map<String, ChangeEvent.KeyLevel> reported = new LinkedHashMap<>();

    private final List<ChangeEvent.KeyLevel> changed = new ArrayList<>();
    private List<String> round = List.of();
    private int roundPosition;
    private long roundStartedAt;
    private @Nullable CompletableFuture<List<ChangeEvent.KeyLevel>> answer;

    KeyLevels(String org, KeyReader reader, Runnable wake, long nanos) {
        this.org = org;
        this.reader = reader;
        this.wake = wake;
        this.roundStartedAt = nanos - ROUND.toNanos();
    }

    void touch(Collection<String> keys) {
        for (String key : keys) {
            if (touched.size() < KEYS_MAX) {
                touched.add(key);
            }
        }
    }

    /** Returns the changes since the last call. */
    List<ChangeEvent.KeyLevel> takeChanged() {
        collect();
        if (changed.isEmpty()) {
            return List.of();
        }
        List<ChangeEvent.KeyLevel> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }

    private void collect() {
        if (answer == null || !answer.isDone()) {
            return;
        }
        if (!answer.isCompletedExceptionally()) {
            for (ChangeEvent.KeyLevel level : answer.join()) {
                ChangeEvent.KeyLevel before = reported.remove(level.key());
                reported.put(level.key(), level);
                if (before == null || !before.hasSameValues(level)) {
                    changed.add(level);
                }
            }
            var oldest = reported.keySet().iterator();
            while (reported.size() > KEYS_MAX) {
                oldest.next();
                oldest.remove();
            }
        }
        answer = null;
    }

    /**
     * Continues the round, or starts one if keys were touched.
     *
     * @param watched the keys that readers want; null = all
     * @return the time in nanoseconds until the next call is due; {@link Long#MAX_VALUE} = when something happens
     */
    long advance(long nanos, @Nullable Set<String> watched) {
        if (watched != null && watched.isEmpty()) {
            touched.clear();
            reported.clear();
            round = List.of();
            roundPosition = 0;
            return Long.MAX_VALUE;
        }
        if (answer != null) {
            return Long.MAX_VALUE;
        }
        if (roundPosition >= round.size()) {
            long wait = roundStartedAt + ROUND.toNanos() - nanos;
            if (touched.isEmpty() || wait > 0) {
                return touched.isEmpty() ? Long.MAX_VALUE : wait;
            }
            startRound(nanos, watched);
        }
        if (roundPosition < round.size()) {
            readNext();
        }
        return Long.MAX_VALUE;
    }

    /** Adds keys in use that were not touched: a freed key can make a step wait for another one. */
    private void startRound(long nanos, @Nullable Set<String> watched) {
        roundStartedAt = nanos;
        roundPosition = 0;
        Set<String> keys = new LinkedHashSet<>(touched);
        touched.clear();
        reported.values().stream()
                .filter(level -> level.used() > 0 || level.waiting() > 0)
                .limit(KeyReader.KEYS_MAX)
                .forEach(level -> keys.add(level.key()));
        if (watched != null) {
            keys.retainAll(watched);
        }
        round = List.copyOf(keys);
    }

    private void readNext() {
        int end = Math.min(round.size(), roundPosition + KeyReader.KEYS_MAX);
        var asked = reader.read(org, round.subList(roundPosition, end));
        roundPosition = end;
        answer = asked;
        var unused = asked.whenComplete((levels, failure) -> wake.run());
    }
}
