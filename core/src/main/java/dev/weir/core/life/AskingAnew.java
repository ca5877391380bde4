package dev.weir.core.life;

import dev.weir.core.admission.Ticket;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Steps and items that wait while workers say something new of their module: they ask for what it says now, and keep their age.
 * Of very many a part is dealt with in one advance. Rows keep what was first asked for: what waits is read back under what
 * its module says by then, and what is claimed keeps what it was claimed with.
 *
 * <p>Runs are gone through in a circle, for all modules at once, and each module has a lap of its own, which is once round from
 * where the news came. Workers that never agree do not make it longer for ever: another follows, and between the two there
 * is an advance in which they are served.
 */
final class AskingAnew {
    /** Those that ask anew in one part. */
    static final int CHUNK_MAX = 1_024;
    /** Those that are looked at in one part, steps that have nothing to do with it included. */
    static final int LOOK_MAX = 64 * CHUNK_MAX;
    /** How often news of a module may make its lap longer. */
    static final int NEWS_MAX = 8;

    private final Organisation org;
    private final Map<String, Lap> laps = new HashMap<>();
    /** Modules that need another lap after the one that is under way. */
    private final Set<String> again = new HashSet<>();
    /** The run that is looked at, and what of it is next; none at the end of the circle. */
    private @Nullable Run run;

    private int step;
    private int item;
    private int looks;

    /** The way of one module round the circle. */
    private static final class Lap {
        /** The number of the last run that is looked at, once the first of all was reached. */
        private final long last;

        private final int news;
        private boolean fromFirst;

        private Lap(long last, int news) {
            this.last = last;
            this.news = news;
        }
    }

    AskingAnew(Organisation org) {
        this.org = org;
    }

    /** Workers of a module say something new: whatever waits for one of them is looked at. */
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

    /** Where the circle has got to. */
    private long number() {
        return run == null ? Long.MAX_VALUE : run.number();
    }

    boolean unfinished() {
        return !laps.isEmpty();
    }

    /** Whether anything that waits for one of these modules may have to ask anew. */
    boolean unfinished(Collection<String> modules) {
        for (String module : modules) {
            if (laps.containsKey(module)) {
                return true;
            }
        }
        return false;
    }

    /** Deals with the next part. */
    void goOn(long now) {
        looks = 0;
        for (int asked = 0; unfinished() && looks < LOOK_MAX && asked < CHUNK_MAX; ) {
            Unit unit = next();
            if (unit != null && asksAnew(unit, now)) {
                asked++;
            }
        }
    }

    /** Begins with the modules of which something new was said meanwhile; after those who have waited were let in. */
    void followUp() {
        for (Iterator<String> modules = again.iterator(); modules.hasNext(); ) {
            String module = modules.next();
            if (!laps.containsKey(module)) {
                modules.remove();
                begin(module, 1);
            }
        }
    }

    /** The next one that may have to ask anew; nothing if there is none, or this was one that has not. */
    private @Nullable Unit next() {
        looks++;
        if (run == null) {
            run = org.runs.first();
            laps.values().forEach(lap -> lap.fromFirst = true);
            endLaps();
            return null;
        }
        int steps = run.steps.length;
        if (step == steps + run.undoings().size()) {
            run = org.runs.after(run);
            step = 0;
            endLaps();
            return null;
        }
        RunStep looked = step < steps ? run.steps[step] : run.undoings().get(step - steps);
        Items items = looked.items;
        boolean concerned = looked.planned.module != null && laps.containsKey(looked.planned.module);
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
            run = null; // a run that has ended is held by nobody
        }
    }

    private boolean asksAnew(Unit unit, long now) {
        Ticket ticket = unit.ticket;
        if (ticket == null || ticket.spec().equals(org.steps.spec(unit))) {
            return false;
        }
        org.admission.withdraw(ticket, now);
        org.steps.enqueue(unit, now);
        return true;
    }
}
