package dev.weir.core.life;

import dev.weir.core.admission.TicketSpec;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One step of one run. */
final class RunStep extends Unit {
    final Run run;
    final PlannedStep planned;
    /** Steps that it needs and that have not ended. */
    int openNeeds;

    long since;
    boolean countsAsLively;

    @Nullable
    WaitsFor waitsFor;

    @Nullable
    Items items;

    private @Nullable Ask specAsk;
    private @Nullable TicketSpec spec;

    /** What was rendered, what workers have said since, and what is asked for because of that. */
    private @Nullable Ask askedFirst;

    private @Nullable ConcurrencyProfile askedUnder;
    private @Nullable Ask askedAnew;

    RunStep(Run run, PlannedStep planned) {
        super(StepState.BLOCKED);
        this.run = run;
        this.planned = planned;
        this.openNeeds = planned.needs().size();
    }

    @Override
    RunStep step() {
        return this;
    }

    @Override
    int item() {
        return UnitId.NO_ITEM;
    }

    @Override
    StepState asking() {
        return StepState.READY;
    }

    @Nullable
    Item findItem(int index) {
        return items == null ? null : items.find(index);
    }

    /** The items, of a step that is fanned out. */
    Items items() {
        if (items == null) {
            throw new IllegalStateException("expected a step with items, found " + id());
        }
        return items;
    }

    /** Whether the end that its run is on its way to stops it. */
    boolean stopped() {
        return run.ending != null && !planned.runsIn(run.ending);
    }

    /** The ask as admission takes it; asks that are one object, nearly all of a fan-out, share it. */
    @SuppressWarnings("ReferenceEquality") // comparing for identity is what makes it cheap
    TicketSpec spec(Ask asked) {
        if (asked == planned.usualAsk && planned.usualSpec != null && items == null) {
            return planned.usualSpec;
        }
        if (spec == null || specAsk != asked) {
            specAsk = asked;
            spec = asked.spec(items == null ? null : items.window);
        }
        return spec;
    }

    /** What is asked for where workers say that of the module; asks that are one object stay one. */
    @SuppressWarnings("ReferenceEquality") // comparing for identity is what makes it cheap
    Ask asked(Ask rendered, ConcurrencyProfile profile) {
        if (planned.slots(profile) == rendered.slots() && planned.exclusive(profile) == rendered.exclusive()) {
            return rendered;
        }
        Ask known = askedAnew;
        if (known == null || askedFirst != rendered || !profile.equals(askedUnder)) {
            known = planned.ask(rendered.needs(), profile, rendered.priority());
            askedFirst = rendered;
            askedUnder = profile;
            askedAnew = known;
        }
        return known;
    }

    /** What later steps see of it. */
    ObjectNode result() {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("state", state.name().toLowerCase(Locale.ROOT));
        result.set("output", output());
        if (last instanceof Update.Failed failed) {
            result.put("error", failed.error());
        }
        return result;
    }

    /** A step that has failed or was skipped has one if a person has given it one. */
    private JsonNode output() {
        return last instanceof Update.Completed completed && state.ended() && state != StepState.CANCELLED
                ? completed.output()
                : JsonNodeFactory.instance.nullNode();
    }

    /** Adds its rows and those of its items; a step that is still blocked has none. */
    void addTo(List<StepRow> rows, List<Claim> claims) {
        if (state != StepState.BLOCKED) {
            addRows(this, rows, claims);
        }
        for (int i = 0; items != null && i < items.madeCount; i++) {
            addRows(items.get(i), rows, claims);
        }
    }

    /** Adds the rows of what is open, as long as there are not so many yet. */
    void addOpen(List<StepRow> rows, int most) {
        if (state != StepState.BLOCKED && !state.ended() && rows.size() < most) {
            rows.add(row());
        }
        for (int i = 0; items != null && !state.ended() && i < items.madeCount && rows.size() < most; i++) {
            if (!items.get(i).state.ended()) {
                rows.add(items.get(i).row());
            }
        }
    }

    private static void addRows(Unit unit, List<StepRow> rows, List<Claim> claims) {
        rows.add(unit.row());
        if (unit.lease != null) {
            claims.add(unit.lease.claim);
        }
    }

    @Override
    StepRow row() {
        return new StepRow(
                id(),
                state,
                fence,
                since,
                due,
                attempts,
                expiries,
                reschedules,
                items == null ? StepRow.NOT_FANNED_OUT : items.total,
                waitsFor,
                ask,
                input,
                last,
                reported,
                report,
                detail);
    }
}
