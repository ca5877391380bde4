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
 * <p>The refresh goes round all runs in a circle, for all modules at once. Each module has a lap of its own: once round
 * from the position at which its new defaults came. Workers that keep registering different defaults cannot prolong a
 * lap for ever. After {@code NEWS_MAX} changes another lap follows, and between the two there is an advance in which
 * they are served.
 */
final class DemandRefresh {
    /** Units that are queued again in one part. */
    static final int CHUNK_MAX = 1_024;
    /** Positions that are examined in one part, including steps of other modules. */
    static final int LOOK_MAX = 64 * CHUNK_MAX;
    /** New defaults of a module that may prolong its lap. */
    static final int NEWS_MAX = 8;

    private final LiveRuns runs;
    private final UnitTickets tickets;
    private final Map<String, Lap> laps = new HashMap<>();
    /** Modules that need another lap after the current one. */
    private final Set<String> again = new HashSet<>();
    /** The current run, with its next step and item; none at the end of the circle. */
    private @Nullable Run run;

    private int step;
    private int item;
    private int looks;

    /** One module's way round the circle. */
    private static final class Lap {
        /** The number of the last run of the lap, which counts once the circle has passed the first of all runs. */
        private final long last;

        private final int news;
        private boolean fromFirst;

        private Lap(long last, int news) {
            this.last = last;
            this.news = news;
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
    void of(String module) {
        Lap lap = laps.get(module);
        int news = lap == null ? 1 : lap.news + 1;
        if (news > NEWS_MAX || again.contains(module)) {
            again.add(module);
        } else {
            begin(module, news);
        }
    }

    private void begin(String module, int news) {
        boolean within = step > 0 || item > 0;
        long last = within ? number() : number() - 1;
        laps.put(module, new Lap(last, news));
    }

    /** Returns the number of the current run. */
    private long number() {
        return run == null ? Long.MAX_VALUE : run.number();
    }

    boolean unfinished() {
        return !laps.isEmpty();
    }

    /** True if units that wait for one of these modules may still have to be queued again. */
    boolean unfinished(Collection<String> modules) {
        for (String module : modules) {
            if (laps.containsKey(module)) {
                return true;
            }
        }
        return false;
    }

    /** Handles the next part. */
    void goOn(long now) {
        looks = 0;
        for (int asked = 0; unfinished() && looks < LOOK_MAX && asked < CHUNK_MAX; ) {
            Unit unit = next();
            if (unit != null && tickets.refresh(unit, now)) {
                asked++;
            }
        }
    }

    /**
     * Begins new laps for modules whose defaults changed meanwhile. The advance calls it after admission, so that
     * waiting units were served first.
     */
    void followUp() {
        for (Iterator<String> modules = again.iterator(); modules.hasNext(); ) {
            String module = modules.next();
            if (!laps.containsKey(module)) {
                modules.remove();
                begin(module, 1);
            }
        }
    }

    /** Returns the next unit that may have to be queued again; none if this position has no such unit. */
    private @Nullable Unit next() {
        looks++;
        if (run == null) {
            run = runs.first();
            laps.values().forEach(lap -> lap.fromFirst = true);
            endLaps();
            return null;
        }
        int steps = run.steps.length;
        if (step == steps + run.undoings().size()) {
            run = runs.after(run);
            step = 0;
            endLaps();
            return null;
        }
        RunStep looked = step < steps ? run.steps[step] : run.undoings().get(step - steps);
        ItemSet items = looked.items;
        boolean concerned = looked.planned.module() != null && laps.containsKey(looked.planned.module());
        if (concerned && !looked.state.ended() && items != null && item < items.madeCount) {
            item++;
            return items.get(item - 1);
        }
        step++;
        item = 0;
        return concerned && items == null ? looked : null;
    }

    private void endLaps() {
        Run next = run;
        laps.values().removeIf(lap -> lap.fromFirst && (next == null || next.number() > lap.last));
        if (laps.isEmpty()) {
            run = null; // do not keep a run that has ended in memory
        }
    }
}
