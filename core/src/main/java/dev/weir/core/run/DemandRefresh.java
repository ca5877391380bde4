package dev.weir.core.run;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queues waiting steps and items again, with their new needs and their old age, after workers have registered new
 * defaults of a module. If there are very many, one advance handles a part of them. The rows keep the needs that were
 * first rendered. After a restore, waiting units use the defaults that are registered by then, and claimed units keep
 * the needs of their claim.
 *
 * <p>The refresh scans all runs round-robin, for all modules at once. Each module has a lap of its own: one scan of all
 * runs from the position at which its new defaults came. Workers that keep registering different defaults cannot
 * prolong a lap for ever. After {@code LAP_CHANGES_MAX} changes another lap follows, and between the two there is an advance in which
 * they are served.
 */
final class DemandRefresh {
    /** Units that are queued again in one part. */
    static final int CHUNK_MAX = 1_024;
    /** Positions that are examined in one part, including steps of other modules. */
    static final int EXAMINED_MAX = 64 * CHUNK_MAX;
    /** New defaults of a module that may prolong its lap. */
    static final int LAP_CHANGES_MAX = 8;

    private final LiveRuns runs;
    private final UnitTickets tickets;
    private final Map<String, Lap> laps = new HashMap<>();
    /** Modules that need another lap after the current one. */
    private final Set<String> lapsToRepeat = new HashSet<>();
    /** The current run, with its next step and item; none at the end of the scan. */
    private @Nullable Run run;

    private int stepIndex;
    private int itemIndex;
    private int examined;

    /** One module's scan of all runs. */
    private static final class Lap {
        /** The number of the last run of the lap, which counts once the scan has passed the first of all runs. */
        private final long lastRunNumber;

        private final int changes;
        private boolean hasWrapped;

        private Lap(long lastRunNumber, int changes) {
            this.lastRunNumber = lastRunNumber;
            this.changes = changes;
        }
    }

    DemandRefresh(LiveRuns runs, UnitTickets tickets) {
        this.runs = runs;
        this.tickets = tickets;
    }

    /**
     * Begins or prolongs the lap of a module whose defaults have changed, to examine all units that wait for its
     * workers.
     */
    void refresh(String module) {
        Lap lap = laps.get(module);
        int changes = lap == null ? 1 : lap.changes + 1;
        if (changes > LAP_CHANGES_MAX || lapsToRepeat.contains(module)) {
            lapsToRepeat.add(module);
        } else {
            beginLap(module, changes);
        }
    }

    private void beginLap(String module, int changes) {
        boolean isInsideRun = stepIndex > 0 || itemIndex > 0;
        long lastRunNumber = isInsideRun ? currentRunNumber() : currentRunNumber() - 1;
        laps.put(module, new Lap(lastRunNumber, changes));
    }

    /** Returns the number of the current run. */
    private long currentRunNumber() {
        return run == null ? Long.MAX_VALUE : run.number();
    }

    boolean hasPendingWork() {
        return !laps.isEmpty();
    }

    /** True if units that wait for one of these modules may still have to be queued again. */
    boolean hasPendingWork(Collection<String> modules) {
        for (String module : modules) {
            if (laps.containsKey(module)) {
                return true;
            }
        }
        return false;
    }

    /** Handles the next part. */
    void advance(long now) {
        examined = 0;
        for (int requeued = 0; hasPendingWork() && examined < EXAMINED_MAX && requeued < CHUNK_MAX; ) {
            Unit unit = next();
            if (unit != null && tickets.refresh(unit, now)) {
                requeued++;
            }
        }
    }

    /**
     * Begins new laps for modules whose defaults changed meanwhile. The advance calls it after admission, so that
     * waiting units were served first.
     */
    void beginRepeatedLaps() {
        for (Iterator<String> modules = lapsToRepeat.iterator(); modules.hasNext(); ) {
            String module = modules.next();
            if (!laps.containsKey(module)) {
                modules.remove();
                beginLap(module, 1);
            }
        }
    }

    /** Returns the next unit that may have to be queued again; none if this position has no such unit. */
    private @Nullable Unit next() {
        examined++;
        if (run == null) {
            run = runs.first();
            laps.values().forEach(lap -> lap.hasWrapped = true);
            endLaps();
            return null;
        }
        int steps = run.steps.length;
        if (stepIndex == steps + run.compensationSteps().size()) {
            run = runs.nextAfter(run);
            stepIndex = 0;
            endLaps();
            return null;
        }
        RunStep current = stepIndex < steps
                ? run.steps[stepIndex]
                : run.compensationSteps().get(stepIndex - steps);
        ItemSet items = current.items;
        boolean isAffected = current.planned.module() != null && laps.containsKey(current.planned.module());
        if (isAffected && !current.state.ended() && items != null && itemIndex < items.createdCount) {
            itemIndex++;
            return items.get(itemIndex - 1);
        }
        stepIndex++;
        itemIndex = 0;
        return isAffected && items == null ? current : null;
    }

    private void endLaps() {
        Run next = run;
        laps.values().removeIf(lap -> lap.hasWrapped && (next == null || next.number() > lap.lastRunNumber));
        if (laps.isEmpty()) {
            run = null; // do not keep a run that has ended in memory
        }
    }
}
