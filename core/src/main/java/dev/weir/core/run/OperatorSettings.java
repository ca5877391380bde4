package dev.weir.core.run;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.command.KeyControl;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.state.Move;
import dev.weir.core.state.OperatorRows;
import dev.weir.core.state.RetryAfterHold;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Operators' settings for shared limits, and the holds that called services asked for. */
final class OperatorSettings implements KeyControl {
    /** The number of holds that are kept before expired ones are looked for. */
    static final int HOLDS_CLEANUP_MIN = 64;

    final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    /** The end of each pause that an operator set. */
    final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
    /** The limits that are held because a called service asked to be called later. */
    final SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();

    /** The values for the limits on runs, by the limit that these runs share. */
    final SortedMap<LimitId.Shared, RunLimitConfig> runLimits = new TreeMap<>();

    /** The limits that are stopped until further notice, because their workflow is paused. */
    private final SortedSet<LimitId.Shared> stopped = new TreeSet<>();

    private final Set<LimitId.RunKey> configuredRunKeys = new HashSet<>();
    /** The limits that have a ceiling on waiting runs. */
    private final Set<LimitId.Shared> ceilings = new HashSet<>();

    /** The number of holds at which expired ones are looked for next. */
    private int holdsCleanupSize = HOLDS_CLEANUP_MIN;

    private final Admission admission;
    private final MoveCollector moves;

    OperatorSettings(Admission admission, MoveCollector moves) {
        this.admission = admission;
        this.moves = moves;
    }

    /** Returns the rows without expired settings. */
    OperatorRows rows(long now) {
        removeExpired(now);
        return new OperatorRows(pins, runLimits, pauses, holds);
    }

    /** Restores the settings, and puts pins and limits on runs into force. */
    void restore(OperatorRows rows, long now) {
        pins.putAll(rows.pins());
        pins.forEach((limit, pin) -> admission.pin(limit, pin, now));
        restoreRunLimits(rows.runLimits(), now);
        pauses.putAll(rows.pauses());
        holds.putAll(rows.holds());
    }

    @Override
    public Optional<Pin> findPin(LimitId.Shared limit, long now) {
        removeExpired(now);
        return Optional.ofNullable(pins.get(limit));
    }

    @Override
    public void pin(LimitId.Shared limit, Pin pin, long now) {
        pins.put(limit, pin);
        admission.pin(limit, pin, now);
        moves.add(new Move.KeyPinned(limit, pin, now));
    }

    @Override
    public boolean unpin(LimitId.Shared limit, long now) {
        Pin pin = pins.remove(limit);
        if (pin == null || pin.until() <= now) {
            return false;
        }
        admission.unpin(limit);
        moves.add(new Move.KeyUnpinned(limit, now));
        return true;
    }

    @Override
    public Optional<Long> findPause(LimitId.Shared limit, long now) {
        removeExpired(now);
        return Optional.ofNullable(pauses.get(limit));
    }

    @Override
    public Optional<Long> findHold(LimitId.Shared limit, long now) {
        removeExpired(now);
        return Optional.ofNullable(holds.get(limit)).map(RetryAfterHold::until);
    }

    @Override
    public long countStarts(LimitId.Shared limit, long now) {
        return limit instanceof LimitId.Key key
                ? admission.directory().keys(List.of(key), now).stream()
                        .mapToLong(LimitSnapshot::rateUsed)
                        .sum()
                : 0;
    }

    @Override
    public void pause(LimitId.Shared limit, long until, long now) {
        pauses.put(limit, until);
        admission.pause(limit, stoppedUntil(limit));
        moves.add(new Move.KeyPaused(limit, until, now));
    }

    @Override
    public boolean resume(LimitId.Shared limit, long now) {
        removeExpired(now);
        boolean paused = pauses.remove(limit) != null;
        RetryAfterHold hold = holds.remove(limit);
        if (!paused && hold == null) {
            return false;
        }
        if (paused) {
            moves.add(new Move.KeyResumed(limit, now));
        }
        if (hold != null) {
            moves.add(new Move.KeyHeld(limit, new RetryAfterHold(now, hold.status(), hold.by()), now));
        }
        stop(limit, stopped.contains(limit));
        return true;
    }

    @Override
    public void resetRate(LimitId.Shared limit, long now) {
        admission.resetRate(limit);
        moves.add(new Move.RateReset(limit, now));
    }

    @Override
    public RunLimitConfig findRunLimits(LimitId.Runs limit) {
        return runLimits.getOrDefault(limit, RunLimitConfig.NONE);
    }

    @Override
    public void configureRunLimits(LimitId.Runs limit, RunLimitConfig config, long now) {
        runLimits.put(limit, config);
        index(limit, config);
        applyRunLimits(limit, now);
        moves.add(new Move.RunLimitsConfigured(limit, config, now));
    }

    @Override
    public int configuredRunKeys() {
        return configuredRunKeys.size();
    }

    /** True if a ceiling on waiting runs is configured anywhere. */
    boolean hasQueueCeilings() {
        return !ceilings.isEmpty();
    }

    private void index(LimitId.Shared limit, RunLimitConfig config) {
        if (limit instanceof LimitId.RunKey key) {
            configuredRunKeys.add(key);
        }
        if (config.maxQueuedRuns().equals(OperatorSetting.none())) {
            ceilings.remove(limit);
        } else {
            ceilings.add(limit);
        }
    }

    /** Restores configured values, and puts them into force. */
    private void restoreRunLimits(SortedMap<LimitId.Shared, RunLimitConfig> stored, long now) {
        runLimits.putAll(stored);
        stored.forEach((limit, config) -> {
            index(limit, config);
            applyRunLimits(limit, now);
        });
    }

    /** Returns the quiet period in microseconds that an operator set for triggers without one; null if nobody did. */
    @Nullable
    Long defaultDebounce(String workflow, long now) {
        Long own = findRunLimits(new LimitId.WorkflowRuns(workflow))
                .defaultDebounce()
                .at(now);
        return own != null
                ? own
                : findRunLimits(new LimitId.OrgRuns()).defaultDebounce().at(now);
    }

    /** Puts the configured values of run limits into force, as a pin. */
    void applyRunLimits(LimitId.Shared limit, long now) {
        RunLimitConfig config = runLimits.getOrDefault(limit, RunLimitConfig.NONE);
        Pin configured = config.toPin();
        Pin pin = configured == null || configured.until() <= now ? pins.get(limit) : configured;
        if (pin == null) {
            admission.unpin(limit);
        } else {
            admission.pin(limit, pin, now);
        }
        if (limit instanceof LimitId.WorkflowRuns runs) {
            OperatorSetting<Integer> perKey = config.maxConcurrentRunsPerKey();
            admission.pinRunKeys(runs.workflow(), perKey, now);
        }
    }

    /** Holds a limit. Keys come and go, so expired holds are removed from time to time. */
    void hold(LimitId.Shared limit, RetryAfterHold hold, long now) {
        holds.put(limit, hold);
        if (holds.size() >= holdsCleanupSize) {
            holds.values().removeIf(one -> one.until() <= now);
            holdsCleanupSize = Math.max(HOLDS_CLEANUP_MIN, 2 * holds.size());
        }
    }

    /** Stops a limit until further notice, apart from operators' pauses, or lets it go on. */
    void stop(LimitId.Shared limit, boolean stopping) {
        if (stopping) {
            stopped.add(limit);
        } else {
            stopped.remove(limit);
        }
        long until = stoppedUntil(limit);
        if (until == Long.MIN_VALUE) {
            admission.resume(limit);
        } else {
            admission.pause(limit, until);
        }
    }

    /** Returns the time until which nothing starts under a limit, for any reason. */
    long stoppedUntil(LimitId.Shared limit) {
        return stopped.contains(limit)
                ? Moment.NEVER
                : Math.max(pauses.getOrDefault(limit, Long.MIN_VALUE), heldUntil(limit));
    }

    /** Returns the time until which a limit is held because a called service asked to be called later. */
    long heldUntil(LimitId.Shared limit) {
        RetryAfterHold hold = holds.get(limit);
        return hold == null ? Long.MIN_VALUE : hold.until();
    }

    /** Removes expired settings. */
    void removeExpired(long now) {
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(hold -> hold.until() <= now);
    }
}
