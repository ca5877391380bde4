package dev.weir.core.run;

import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.definition.TriggerCall;
import dev.weir.core.limit.Moment;
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
    boolean countsAsActive;

    @Nullable
    AwaitedEvent waitsFor;

    @Nullable
    ItemSet items;

    private @Nullable LimitNeeds specNeeds;
    private @Nullable TicketSpec spec;

    /** A cache of {@link #applyProfile}: the rendered needs, the module's defaults, and the needs that follow from both. */
    private @Nullable LimitNeeds renderedNeeds;

    private @Nullable ConcurrencyProfile appliedProfile;
    private @Nullable LimitNeeds profiledNeeds;

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
    StepState queuedState() {
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

    /** Returns the retry policy: that of the definition, or of the run's input if the step is a triggered call. */
    RetryPolicy retryPolicy() {
        return isTriggeredCall()
                ? TriggerCall.attemptsOf(run.input()).retry()
                : planned.definition().attempts().retry();
    }

    /** Returns the longest time of an attempt, in microseconds. */
    long timeout() {
        return isTriggeredCall()
                ? Moment.micros(TriggerCall.attemptsOf(run.input()).timeout())
                : planned.timeout();
    }

    /** True if the run's input describes the call that the step makes. */
    boolean isTriggeredCall() {
        return planned.definition().action() instanceof Action.TriggeredCall;
    }

    /** True if the run is on its way to an end that stops this step. */
    boolean isStopped() {
        return run.ending != null && !canRunDuring(run.ending);
    }

    /** True if the step can still run while its run is on its way to this end. */
    private boolean canRunDuring(RunEnding ending) {
        boolean runs =
                ending.finalState() == RunState.CANCELLED ? planned.runsAfterCancel() : planned.runsAfterFailure();
        return planned.isCompensation() || runs;
    }

    /**
     * Converts needs to a ticket spec. Needs that are the same object share it, which is nearly all items of a fan-out.
     */
    @SuppressWarnings("ReferenceEquality") // comparing identity keeps this cheap
    TicketSpec spec(LimitNeeds needs) {
        if (needs == planned.defaultLimitNeeds() && planned.defaultSpec() != null && items == null) {
            return planned.defaultSpec();
        }
        if (spec == null || specNeeds != needs) {
            specNeeds = needs;
            spec = specFor(needs);
        }
        return spec;
    }

    /** Converts the needs of one unit to a ticket spec of its own. */
    TicketSpec specFor(LimitNeeds needs) {
        return needs.toTicketSpec(items == null ? null : items.window);
    }

    /**
     * Returns the needs under the defaults that workers set for the module. The same object gives the same result
     * object.
     */
    @SuppressWarnings("ReferenceEquality") // comparing identity keeps this cheap
    LimitNeeds applyProfile(LimitNeeds rendered, ConcurrencyProfile profile) {
        if (planned.slots(profile) == rendered.slots() && planned.isExclusive(profile) == rendered.exclusive()) {
            return rendered;
        }
        LimitNeeds known = profiledNeeds;
        if (known == null || renderedNeeds != rendered || !profile.equals(appliedProfile)) {
            known = planned.limitNeeds(rendered.needs(), profile, rendered.priority());
            renderedNeeds = rendered;
            appliedProfile = profile;
            profiledNeeds = known;
        }
        return known;
    }

    /** Returns the result that later steps see. */
    ObjectNode result() {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("state", state.name().toLowerCase(Locale.ROOT));
        result.set("output", output());
        if (lastOutcome instanceof Update.Failed failed) {
            result.put("error", failed.error());
        }
        return result;
    }

    /** Returns the output. A failed or skipped step has one only if a person provided it. */
    private JsonNode output() {
        return lastOutcome instanceof Update.Completed completed && state.ended() && state != StepState.CANCELLED
                ? completed.output()
                : JsonNodeFactory.instance.nullNode();
    }

    /** Adds the rows of the step and its items. A step that is still blocked has no row. */
    void addTo(List<StepRow> rows, List<Claim> claims) {
        if (state != StepState.BLOCKED) {
            addRows(this, rows, claims);
        }
        for (int i = 0; items != null && i < items.createdCount; i++) {
            addRows(items.get(i), rows, claims);
        }
    }

    /** Adds the rows of open units until the list has {@code max} rows. */
    void addOpen(List<StepRow> rows, int max) {
        if (state != StepState.BLOCKED && !state.ended() && rows.size() < max) {
            rows.add(row());
        }
        for (int i = 0; items != null && !state.ended() && i < items.createdCount && rows.size() < max; i++) {
            if (!items.get(i).state.ended()) {
                rows.add(items.get(i).row());
            }
        }
    }

    private static void addRows(Unit unit, List<StepRow> rows, List<Claim> claims) {
        rows.add(unit.row());
        if (unit.liveClaim != null) {
            claims.add(unit.liveClaim.claim);
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
                limitNeeds,
                input,
                lastOutcome,
                reported,
                reportFingerprint,
                detail);
    }
}
