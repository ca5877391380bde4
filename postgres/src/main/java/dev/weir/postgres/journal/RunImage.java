package dev.weir.postgres.journal;

import dev.weir.core.admission.RunGate;
import dev.weir.core.life.Ask;
import dev.weir.core.life.Ending;
import dev.weir.core.life.Move;
import dev.weir.core.life.Plan;
import dev.weir.core.life.RunRef;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.UnitId;
import dev.weir.postgres.json.Asks;
import dev.weir.postgres.json.RunJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What a run's row will be after the transaction: the whole row, or what of it has changed. */
final class RunImage {
    /** Steps and claims with more characters than this are written by themselves. */
    static final int WITHIN_CHARS_MAX = 16 * 1024;

    /** Steps and items that are searched one by one; more of them are looked up. */
    private static final int UNITS_SEARCHED_MAX = 8;

    /** PostgreSQL keeps it, and cannot take apart what it is in. */
    private static final String NUL = "\\u0000";

    final RunRef ref;
    /** Whether the transaction accepts it, so that there is no row before. */
    boolean accepted;

    @Nullable
    RunRow row;

    /** Whether the transaction starts it: its time alone does not tell, another may have had the same. */
    private boolean starts;

    /** When it came into the state that it has in the end. */
    long movedAt;

    /** Steps that are written with it. */
    private final StringJoiner steps = new StringJoiner(",", "[", "]").setEmptyValue("");

    /** Claims that are written with it. */
    private final StringJoiner claims = new StringJoiner(",", "[", "]").setEmptyValue("");

    private @Nullable Ask ask;
    private RunRow.@Nullable Detail detail;
    private @Nullable Ending ending;
    private RunGate.@Nullable Overrides overrides;
    private boolean overridden;
    private long lastGrantAt;
    private int startsInTick;

    private final List<UnitImage> units = new ArrayList<>(1);
    /** The same by what rows name them, where they are many. */
    private @Nullable Map<UnitKey, UnitImage> unitOf;

    RunImage(RunRef ref) {
        this.ref = ref;
    }

    /** What becomes of that step or item of it. */
    UnitImage unit(UnitId id) {
        short step = (short) ref.plan().indexOf(id.step());
        UnitImage found = find(step, id.item());
        if (found != null) {
            return found;
        }
        var added = new UnitImage(new UnitKey(ref.number(), step, id.item()), this);
        units.add(added);
        if (unitOf != null) {
            unitOf.put(added.key(), added);
        } else if (units.size() > UNITS_SEARCHED_MAX) {
            unitOf = new HashMap<>();
            for (UnitImage each : units) {
                unitOf.put(each.key(), each);
            }
        }
        return added;
    }

    private @Nullable UnitImage find(short step, int item) {
        if (unitOf != null) {
            return unitOf.get(new UnitKey(ref.number(), step, item));
        }
        for (UnitImage each : units) {
            if (each.is(step, item)) {
                return each;
            }
        }
        return null;
    }

    void accept(RunRow accepting) {
        if (ref.plan().version() == Plan.UNREGISTERED) {
            throw new IllegalArgumentException("expected a run of a workflow that is registered, found run " + ref.id()
                    + " of " + ref.plan().workflow().name());
        }
        accepted = true;
        row = accepting;
    }

    void move(Move.RunMoved moved) {
        row = moved.row();
        movedAt = moved.at();
        starts |= moved.from() == RunState.QUEUED && moved.row().startedAt() == moved.at();
    }

    void stop(Ending as) {
        if (row == null) {
            ending = as;
        } else {
            row = row.stopping(as);
        }
    }

    void override(RunGate.@Nullable Overrides values) {
        if (row == null) {
            overrides = values;
            overridden = true;
        } else {
            row = row.overridden(values);
        }
    }

    void tick(long at, int starts) {
        if (row == null) {
            lastGrantAt = at;
            startsInTick = starts;
        } else {
            row = row.granted(at, starts);
        }
    }

    void change(Ask asked, RunRow.Detail other) {
        if (row == null) {
            ask = asked;
            detail = other;
        } else {
            row = row.with(asked, other);
        }
    }

    void addTo(Writes writes, int org) {
        // First those which it may take with it.
        units.forEach(unit -> unit.addTo(writes, org));
        if (row == null) {
            addParts(writes, org);
            return;
        }
        boolean ended = row.state().ended();
        if (accepted) {
            writes.newId(org, row);
        }
        if (accepted && !ended) {
            writes.add("insert_runs", RunRows.whole(org, row, steps(), text(claims)));
        } else if (ended && !accepted) {
            writes.deleteRun(org, ref.number());
        } else if (!ended) {
            writes.add("update_runs", RunRows.changing(org, row, steps(), text(claims)));
        }
    }

    /** Adds what is kept of a run that has ended. */
    void addHistory(Writes writes, int org) {
        writes.add("insert_run_history", RunRows.history(org, Objects.requireNonNull(row), movedAt, steps()));
    }

    Plan plan() {
        return ref.plan();
    }

    long acceptedAt() {
        return Objects.requireNonNull(row).acceptedAt();
    }

    /** Whether the input of that step can be told from its own. */
    boolean tellsInput(int step) {
        return plan().tellsInput(step) && Objects.requireNonNull(row).detail().input() == null;
    }

    /** Whether it started then, and what became ready can be written with it. */
    boolean takesStart(long at) {
        return starts && row != null && !row.state().ended() && row.startedAt() == at;
    }

    /** Whether it ended then, and what ended with it can be written with it. */
    boolean takesEnd(long at) {
        return row != null && row.state().ended() && movedAt == at;
    }

    private @Nullable String steps() {
        return text(steps);
    }

    private static @Nullable String text(StringJoiner entries) {
        return entries.length() == 0 ? null : entries.toString();
    }

    /** Writes a step with it that became ready when it started, or ended when it did; tells whether that can be. */
    boolean take(@Nullable String step) {
        return step != null && add(step, steps);
    }

    /** Writes the claim of a step with it that is written with it; tells whether that can be. */
    boolean takeClaim(String claim) {
        boolean taken = add(claim, claims);
        if (taken) {
            ref.hasClaimsWithin();
        }
        return taken;
    }

    private static boolean add(String entry, StringJoiner entries) {
        if (entries.length() + entry.length() > WITHIN_CHARS_MAX || !canBeWithin(entry)) {
            return false;
        }
        entries.add(entry);
        return true;
    }

    /** Whether a step or claim can be written in a row with others. */
    static boolean canBeWithin(String entry) {
        return entry.length() <= WITHIN_CHARS_MAX && !entry.contains(NUL);
    }

    private void addParts(Writes writes, int org) {
        if (detail != null) {
            writes.add("update_run_details", org, ref.number(), Asks.text(ask), RunJson.detail(detail));
        }
        if (ending != null) {
            writes.add("update_endings", org, ref.number(), RunJson.ending(ending));
        }
        if (overridden) {
            writes.add("update_overrides", org, ref.number(), RunJson.overrides(overrides));
        }
        if (startsInTick > 0) {
            writes.add("update_ticks", org, ref.number(), lastGrantAt, startsInTick);
        }
    }
}
