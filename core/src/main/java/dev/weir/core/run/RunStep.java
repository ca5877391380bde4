package dev.weir.core.run;

import dev.weir.core.admission.TicketSpec;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Claim;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One step of a live run. */
final class RunStep extends Unit {
    final Run run;
    final PlannedStep planned;
    /** Number of steps that this step needs and that have not ended. */
    int openNeeds;

    long since;
    boolean countsAsLively;

    @Nullable
    AwaitedEvent waitsFor;

    @Nullable
    ItemSet items;

    private @Nullable LimitNeeds specAsk;
    private @Nullable TicketSpec spec;

    /** A cache of {@link #asked}: the rendered needs, the module's defaults, and the needs that follow from both. */
    private @Nullable LimitNeeds askedFirst;

    private @Nullable ConcurrencyProfile askedUnder;
    private @Nullable LimitNeeds askedAnew;

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

    /** Returns the items; the step must be fanned out. */
    ItemSet items() {
        if (items == null) {
            throw new IllegalStateException("expected a step with items, found " + id());
        }
        return items;
    }

    /** Returns the item that starts next if a short search finds it; otherwise the step itself. */
    Unit nextUnit() {
        Item next = items == null || state.ended() || waitsFor != null ? null : items.findNext();
        return next == null ? this : next;
    }

    /** True if the run is on its way to an end that stops this step. */
    boolean stopped() {
        return run.ending != null && !runsIn(run.ending);
    }

    /** True if the step can still run while its run is on its way to this end. */
    private boolean runsIn(RunEnding ending) {
        boolean runs = ending.as() == RunState.CANCELLED ? planned.runsAfterCancel() : planned.runsAfterFailure();
        return planned.undoes() || runs;
    }

    /**
     * Converts needs to a ticket spec. Needs that are the same object share it, which is nearly all items of a fan-out.
     */
    @SuppressWarnings("ReferenceEquality") // comparing identity keeps this cheap
    TicketSpec spec(LimitNeeds asked) {
        if (asked == planned.usualAsk() && planned.usualSpec() != null && items == null) {
            return planned.usualSpec();
        }
        if (spec == null || specAsk != asked) {
            specAsk = asked;
            spec = asked.spec(items == null ? null : items.window);
        }
        return spec;
    }

    /**
     * Returns the needs under the defaults that workers set for the module. The same object gives the same result
     * object.
     */
    @SuppressWarnings("ReferenceEquality") // comparing identity keeps this cheap
    LimitNeeds asked(LimitNeeds rendered, ConcurrencyProfile profile) {
        if (planned.slots(profile) == rendered.slots() && planned.exclusive(profile) == rendered.exclusive()) {
            return rendered;
        }
        LimitNeeds known = askedAnew;
        if (known == null || askedFirst != rendered || !profile.equals(askedUnder)) {
            known = planned.ask(rendered.needs(), profile, rendered.priority());
            askedFirst = rendered;
            askedUnder = profile;
            askedAnew = known;
        }
        return known;
    }

    /** Returns the result that later steps see. */
    ObjectNode result() {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("state", state.name().toLowerCase(Locale.ROOT));
        result.set("output", output());
        if (last instanceof Update.Failed failed) {
            result.put("error", failed.error());
        }
        return result;
    }

    /** Returns the output. A failed or skipped step has one only if a person provided it. */
    private JsonNode output() {
        return last instanceof Update.Completed completed && state.ended() && state != StepState.CANCELLED
                ? completed.output()
                : JsonNodeFactory.instance.nullNode();
    }

    /** Adds the rows of the step and its items. A step that is still blocked has no row. */
    void addTo(List<StepRow> rows, List<Claim> claims) {
        if (state != StepState.BLOCKED) {
            addRows(this, rows, claims);
        }
        for (int i = 0; items != null && i < items.madeCount; i++) {
            addRows(items.get(i), rows, claims);
        }
    }

    /** Adds the rows of open units until the list has {@code most} rows. */
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
                effect,
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
