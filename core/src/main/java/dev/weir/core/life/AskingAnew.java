package dev.weir.core.life;

import dev.weir.core.admission.Ticket;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Steps and items that wait while workers say something new of their module: they ask for what it says now, and keep their age.
 * Of very many a part is dealt with in one advance. Rows keep what was first asked for: what waits is read back under what
 * its module says by then, and what is claimed keeps what it was claimed with.
 */
final class AskingAnew {
    /** Those that ask anew in one part. */
    static final int CHUNK_MAX = 1_024;
    /** Those that are looked at in one part, steps that have nothing to do with it included. */
    static final int LOOK_MAX = 64 * CHUNK_MAX;

    private final Organisation org;
    private final Set<String> modules = new HashSet<>();
    /** The run that is looked at, and what of it is next. */
    private @Nullable Run run;

    private int step;
    private int item;
    private int looks;

    AskingAnew(Organisation org) {
        this.org = org;
    }

    /** Workers of a module say something new: whatever waits for one of them is looked at, from the oldest run on. */
    void of(String module) {
        modules.add(module);
        run = org.runs.first();
        step = 0;
        item = 0;
    }

    boolean unfinished() {
        return !modules.isEmpty();
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

    /** The next one that may have to ask anew; nothing if there is none, or this was one that has not. */
    private @Nullable Unit next() {
        looks++;
        if (run == null) {
            modules.clear();
            return null;
        }
        int steps = run.steps.length;
        if (step == steps + run.undoings().size()) {
            run = org.runs.after(run);
            step = 0;
            return null;
        }
        RunStep looked = step < steps ? run.steps[step] : run.undoings().get(step - steps);
        Items items = looked.items;
        boolean concerned = looked.planned.module != null && modules.contains(looked.planned.module);
        if (concerned && !looked.state.ended() && items != null && item < items.madeCount) {
            item++;
            return items.get(item - 1);
        }
        step++;
        item = 0;
        return concerned && items == null ? looked : null;
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
