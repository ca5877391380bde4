package dev.weir.postgres.journal;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.LimitNeedsJson;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.SettingJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The change of a run's row in a transaction: the whole row, or the parts that changed. */
final class RunChange {
    /** The most characters of steps, or of claims, inside a run's row. Larger ones are written as rows of their own. */
    static final int INLINE_CHARS_MAX = 16 * 1024;

    /** The most steps and items that are searched one by one. If there are more, a map is used. */
    private static final int UNITS_SEARCHED_MAX = 8;

    /** PostgreSQL stores this escape in JSON, but cannot take apart the JSON that contains it. */
    private static final String NUL = "\\u0000";

    final RunRef ref;
    /** True if the transaction accepts the run, so that it has no row yet. */
    boolean accepted;

    @Nullable
    RunRow row;

    /**
     * True if the transaction starts the run. The start time is not enough: another transaction may have the same time.
     */
    private boolean isStarted;

    /** The time at which the run entered its final state of this transaction. */
    long movedAt;

    /** Steps that are written inside the run's row. */
    private final StringJoiner inlineSteps = new StringJoiner(",", "[", "]").setEmptyValue("");

    /** Claims that are written inside the run's row. */
    private final StringJoiner inlineClaims = new StringJoiner(",", "[", "]").setEmptyValue("");

    private @Nullable LimitNeeds needs;
    private RunRow.@Nullable Detail detail;
    private @Nullable RunEnding ending;
    private @Nullable RunOverrides overrides;
    private boolean overridden;
    private long lastGrantAt;
    private int startsInTick;
    /** The time of the next check if the transaction only holds the run. */
    private long holdUntil = RunRow.NOT_STARTED;

    private final List<StepChange> units = new ArrayList<>(1);
    /** The same changes by row key; present only if there are many. */
    private @Nullable Map<UnitKey, StepChange> unitsByKey;

    RunChange(RunRef ref) {
        this.ref = ref;
    }

    /** Returns the change of that step or item, and creates it if necessary. */
    StepChange unit(UnitId id) {
        short step = (short) ref.plan().indexOf(id.step());
        StepChange found = find(step, id.item());
        if (found != null) {
            return found;
        }
        var added = new StepChange(new UnitKey(ref.number(), step, id.item()), this);
        units.add(added);
        if (unitsByKey != null) {
            unitsByKey.put(added.key(), added);
        } else if (units.size() > UNITS_SEARCHED_MAX) {
            unitsByKey = new HashMap<>();
            for (StepChange each : units) {
                unitsByKey.put(each.key(), each);
            }
        }
        return added;
    }

    private @Nullable StepChange find(short step, int item) {
        if (unitsByKey != null) {
            return unitsByKey.get(new UnitKey(ref.number(), step, item));
        }
        for (StepChange each : units) {
            if (each.hasKey(step, item)) {
                return each;
            }
        }
        return null;
    }

    void accept(RunRow acceptedRow) {
        if (ref.plan().version() == Plan.UNREGISTERED) {
            throw new IllegalArgumentException("expected a run of a registered workflow, found run " + ref.id() + " of "
                    + ref.plan().workflow().name());
        }
        accepted = true;
        row = acceptedRow;
    }

    void move(Move.RunMoved moved) {
        row = moved.row();
        movedAt = moved.at();
        isStarted |= moved.from() == RunState.QUEUED && moved.row().startedAt() == moved.at();
    }

    void hold(long until) {
        if (row == null) {
            holdUntil = until;
        } else {
            row = row.withHoldUntil(until);
        }
    }

    void stop(RunEnding newEnding) {
        if (row == null) {
            ending = newEnding;
        } else {
            row = row.withEnding(newEnding);
        }
    }

    void override(@Nullable RunOverrides values) {
        if (row == null) {
            overrides = values;
            overridden = true;
        } else {
            row = row.withOverrides(values);
        }
    }

    void tick(long at, int starts) {
        if (row == null) {
            lastGrantAt = at;
            startsInTick = starts;
        } else {
            row = row.withGrant(at, starts);
        }
    }

    void change(LimitNeeds newNeeds, RunRow.Detail newDetail) {
        if (row == null) {
            needs = newNeeds;
            detail = newDetail;
        } else {
            row = row.with(newNeeds, newDetail);
        }
    }

    void addTo(RowWrites writes, int org) {
        // The units come first, because the run's row may include them.
        units.forEach(unit -> unit.addTo(writes, org));
        if (row == null) {
            addChangedColumns(writes, org);
            return;
        }
        boolean ended = row.state().ended();
        if (accepted) {
            writes.addRunId(org, row);
        }
        if (accepted && !ended) {
            writes.add("insert_runs", RunRows.insertColumns(org, row, inlineSteps(), text(inlineClaims)));
        } else if (ended && !accepted) {
            writes.deleteRun(org, ref.number());
        } else if (!ended) {
            writes.add("update_runs", RunRows.updateColumns(org, row, inlineSteps(), text(inlineClaims)));
        }
    }

    /** Adds the history row of a run that has ended. */
    void addHistory(RowWrites writes, int org) {
        writes.add(
                "insert_run_history", RunRows.historyColumns(org, Objects.requireNonNull(row), movedAt, inlineSteps()));
    }

    Plan plan() {
        return ref.plan();
    }

    long acceptedAt() {
        return Objects.requireNonNull(row).acceptedAt();
    }

    /** True if the step's input can be computed from the run's own input, so that it need not be stored. */
    boolean canDeriveInput(int step) {
        return plan().isInputCheap(step) && Objects.requireNonNull(row).detail().input() == null;
    }

    /** True if the run started at that time, so that a step that became ready then can be written inside its row. */
    boolean canInlineReadyAt(long at) {
        return isStarted && row != null && !row.state().ended() && row.startedAt() == at;
    }

    /** True if the run ended at that time, so that a step that ended then can be written inside its row. */
    boolean canInlineEndedAt(long at) {
        return row != null && row.state().ended() && movedAt == at;
    }

    private @Nullable String inlineSteps() {
        return text(inlineSteps);
    }

    private static @Nullable String text(StringJoiner entries) {
        return entries.length() == 0 ? null : entries.toString();
    }

    /**
     * Writes a step inside the run's row if possible: one that became ready when the run started, or ended when it
     * ended. Returns whether it did.
     */
    boolean addInlineStep(@Nullable String step) {
        return step != null && addIfFits(step, inlineSteps);
    }

    /**
     * Writes the claim of a step inside the run's row if possible. The step must be inside it too. Returns whether it
     * did.
     */
    boolean addInlineClaim(String claim) {
        boolean added = addIfFits(claim, inlineClaims);
        if (added) {
            ref.markEmbeddedClaims();
        }
        return added;
    }

    private static boolean addIfFits(String entry, StringJoiner entries) {
        if (entries.length() + entry.length() > INLINE_CHARS_MAX || !canBeInline(entry)) {
            return false;
        }
        entries.add(entry);
        return true;
    }

    /** True if a step or claim can be written inside a row that it shares with others. */
    static boolean canBeInline(String entry) {
        return entry.length() <= INLINE_CHARS_MAX && !entry.contains(NUL);
    }

    private void addChangedColumns(RowWrites writes, int org) {
        if (detail != null) {
            writes.add("update_run_details", org, ref.number(), LimitNeedsJson.text(needs), RunJson.detail(detail));
        }
        if (holdUntil != RunRow.NOT_STARTED) {
            writes.add("update_run_holds", org, ref.number(), holdUntil);
        }
        if (ending != null) {
            writes.add("update_endings", org, ref.number(), RunJson.ending(ending));
        }
        if (overridden) {
            writes.add("update_overrides", org, ref.number(), SettingJson.overrides(overrides));
        }
        if (startsInTick > 0) {
            writes.add("update_ticks", org, ref.number(), lastGrantAt, startsInTick);
        }
    }
}
