package dev.weir.core.life;

import dev.weir.core.admission.Refusal;
import dev.weir.core.admission.Ticket;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.limit.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** How a step comes to run, and how it ends. */
final class Steps {
    private final Organisation org;
    /** Steps of the run in hand whose needs have all ended. */
    private final ArrayDeque<RunStep> toConsider = new ArrayDeque<>();
    /** What was last taken out from before its limits, and what it has waited for there. */
    private @Nullable Unit takenOut;

    private List<Waited> waitedThere = List.of();

    Steps(Organisation org) {
        this.org = org;
    }

    /** Looks at the steps of a run that starts. */
    void begin(Run run, long now) {
        skipUntargeted(run, now);
        for (RunStep step : run.steps) {
            if (step.openNeeds == 0) {
                toConsider.add(step);
            }
        }
        carryOn(run, now);
    }

    private void skipUntargeted(Run run, long now) {
        List<String> targets = run.request.options().targets();
        if (targets.isEmpty()) {
            return;
        }
        Set<PlannedStep> wanted = run.request.plan().withNeeds(targets);
        for (RunStep step : run.steps) {
            if (step.state == StepState.BLOCKED && !wanted.contains(step.planned)) {
                end(step, StepState.SKIPPED, now);
            }
        }
    }

    /** Takes over what an earlier run has done. */
    void carry(RunStep step, StepRow row, long now) {
        step.since = now;
        step.last = row.last();
        step.detail = StepRow.Detail.DEFAULT.completedAs(row.detail().order());
        step.run.completed = Math.max(step.run.completed, row.detail().order());
        end(step, row.state(), now);
    }

    /** Follows up all that has ended, and then looks at the run itself. Every way of changing a step ends here. */
    void carryOn(Run run, long now) {
        if (run.gate == null) {
            // A run that has not started looks at all of its steps when it does.
            toConsider.clear();
            return;
        }
        for (RunStep step = toConsider.poll(); step != null; step = toConsider.poll()) {
            consider(step, now);
        }
        org.lives.settle(run, now);
    }

    /** Looks at a step again that lacked something. */
    void considerAgain(RunStep step) {
        toConsider.add(step);
    }

    private void consider(RunStep step, long now) {
        if (step.state == StepState.BLOCKED || step.waitsFor == WaitsFor.MISSING_INPUT) {
            look(step, now);
        }
    }

    /** Sees whether a step is to run at all, has what it requires, and was let through its gate. */
    private void look(RunStep step, long now) {
        String missing = Remedies.missing(step);
        try {
            if (!Scopes.condition(step)) {
                end(step, StepState.SKIPPED, now);
            } else if (missing != null) {
                org.remedies.await(step, WaitsFor.MISSING_INPUT, missing, now);
            } else if (waitsAtGate(step)) {
                await(step, WaitsFor.GATE, Moment.NEVER, now);
            } else {
                open(step, now);
            }
        } catch (RenderFailed e) {
            if (missing != null) {
                org.remedies.await(step, WaitsFor.MISSING_INPUT, missing, now);
            } else {
                cannotStart(step, e, now);
            }
        }
    }

    private static boolean waitsAtGate(RunStep step) {
        StepRow.Approval approval = step.detail.approval();
        return step.planned.definition.preconditions().gate() != null && (approval == null || !approval.approved());
    }

    /** The gate of a step was approved. */
    void approved(RunStep step, long now) {
        try {
            open(step, now);
        } catch (RenderFailed e) {
            cannotStart(step, e, now);
        }
        carryOn(step.run, now);
    }

    /** The approval of a step of which nothing has started was taken back. */
    void revoked(RunStep step, long now) {
        if (step.items != null) {
            org.fanOuts.withdraw(step, now);
        }
        takeOut(step, now);
        await(step, WaitsFor.GATE, Moment.NEVER, now);
        carryOn(step.run, now);
    }

    /** A person has given up a step or item. */
    void abandon(Unit unit, Update.Failed as, long now) {
        unit.reported = false;
        takeOut(unit, now);
        if (unit.lease != null) {
            org.claims.releaseCancelled(unit.lease, now);
        }
        unit.last = as;
        failed(unit, now);
        carryOn(unit.run(), now);
    }

    private void cannotStart(RunStep step, RenderFailed cause, long now) {
        step.last = new Update.Failed(String.valueOf(cause.getMessage()), true);
        failed(step, now);
    }

    /** Nothing but its limits keeps the step any more. */
    private void open(RunStep step, long now) {
        if (step.items == null) {
            // Items that were made before an approval was taken back keep their age.
            step.since = now;
        }
        switch (step.planned.definition.action()) {
            case Action.Sleep sleep -> await(step, WaitsFor.TIME, Moment.plus(now, Moment.micros(sleep.time())), now);
            case Action.GateOnly ignored -> complete(step, new Update.Completed(nothing()), now);
            case Action.Uses ignored -> ask(step, now);
            case Action.Call ignored -> ask(step, now);
            case Action.Invoke ignored -> ask(step, now);
            case Action.WaitFor waitFor -> waitFor(step, waitFor, now);
            case Action.Emit ignored -> ask(step, now);
        }
    }

    private void waitFor(RunStep step, Action.WaitFor waitFor, long now) {
        Signal kept = org.signals.take(step.run, waitFor.signal(), now);
        if (kept != null) {
            step.detail = step.detail.signalled(kept.id());
            complete(step, new Update.Completed(kept.payload()), now);
        } else {
            Duration timeout = waitFor.timeout();
            long due = timeout == null ? Moment.NEVER : Moment.plus(now, Moment.micros(timeout));
            await(step, WaitsFor.SIGNAL, due, now);
        }
    }

    void ask(RunStep step, long now) {
        if (step.planned.definition.fanOut() == null) {
            render(step);
            move(step, StepState.READY, now);
            enqueue(step, now);
        } else if (step.items != null) {
            org.fanOuts.askAnew(step, now);
        } else {
            org.fanOuts.open(step, now);
        }
    }

    void render(Unit unit) {
        String module = unit.step().planned.module;
        Scopes.render(unit, module == null ? null : org.profiles.find(module));
    }

    void enqueue(Unit unit, long now) {
        unit.ticket = org.admission.enqueue(unit.run().gate(), spec(unit), unit.entry(), now);
    }

    /** What a unit asks for as admission takes it, by what the workers of its module say now. */
    TicketSpec spec(Unit unit) {
        RunStep step = unit.step();
        ConcurrencyProfile profile = step.planned.module == null ? null : org.profiles.find(step.planned.module);
        return step.spec(profile == null ? unit.ask() : step.asked(unit.ask(), profile));
    }

    /** Puts a unit before its limits again; it keeps its age. */
    void askAgain(Unit unit, long now) {
        move(unit, unit.asking(), now);
        enqueue(unit, now);
    }

    void await(RunStep step, WaitsFor reason, long due, long now) {
        Spending.moves(step, StepState.WAITING, List.of(), now);
        step.waitsFor = reason;
        org.timers.schedule(step, due);
        move(step, StepState.WAITING, now);
    }

    /** A unit's own time has come: the pause before a retry is over, or a sleep is. */
    void due(Unit unit, long now) {
        if (unit.state == StepState.BACKING_OFF) {
            askAgain(unit, now);
        } else if (unit.step().waitsFor == WaitsFor.SIGNAL) {
            unit.last = new Update.Failed("no signal " + Signals.name(unit.step()) + " came in time", true);
            failed(unit, now);
        } else {
            complete(unit, new Update.Completed(nothing()), now);
        }
        carryOn(unit.run(), now);
    }

    /** A step or item is done. */
    void complete(Unit unit, Update result, long now) {
        unit.last = result;
        if (unit instanceof RunStep step && result instanceof Update.Completed completed) {
            String misfit = Remedies.misfit(step, completed.output());
            if (misfit != null) {
                org.remedies.await(step, WaitsFor.INVALID_ARTIFACT, misfit, now);
                return;
            }
            noteOrder(step);
        }
        end(unit, StepState.COMPLETED, now);
    }

    /** What can be undone is undone in the reverse order of its completion. */
    private static void noteOrder(RunStep step) {
        if (step.planned.canBeUndone()) {
            step.run.completed++;
            step.detail = step.detail.completedAs(step.run.completed);
        }
    }

    /** A step or item has failed for good; {@code last} says why. */
    void failed(Unit unit, long now) {
        if (!(unit instanceof RunStep step) || step.run.ending != null) {
            end(unit, StepState.FAILED, now);
            return;
        }
        switch (step.planned.onFailure()) {
            case CONTINUE -> end(step, StepState.FAILED, now);
            case PAUSE -> {
                await(step, WaitsFor.OPERATOR, Moment.NEVER, now);
                org.lives.pause(step.run, now);
            }
            case FAIL, COMPENSATE -> {
                end(step, StepState.FAILED, now);
                String error = step.last instanceof Update.Failed failure ? failure.error() : "";
                CancelPolicy policy =
                        step.run.request.plan().workflow().policy().cancel();
                String reason = step.planned + " failed: " + error;
                org.lives.stop(step.run, new Ending(RunState.FAILED, policy, reason, now), now);
            }
        }
    }

    /** Tries a step again that had failed, because an operator has resumed its run. */
    void tryAgain(RunStep step, long now) {
        step.attempts = 0;
        step.reschedules = 0;
        if (step.items != null) {
            org.fanOuts.tryAgain(step, now);
        } else if (step.ask == null) {
            // It never came to ask for its limits: it may have failed before it came to its gate.
            look(step, now);
        } else {
            askAgain(step, now);
        }
    }

    /** An operator has skipped a step that had not started. */
    void skip(RunStep step, long now) {
        takeOut(step, now);
        if (step.waitsFor == WaitsFor.INVALID_ARTIFACT) {
            // An output that does not fit is nobody's.
            step.last = null;
        }
        if (step.items != null) {
            org.fanOuts.skip(step, now);
        } else {
            end(step, StepState.SKIPPED, now);
        }
        carryOn(step.run, now);
    }

    /** The claim of a unit was ended by a cancel. */
    void cancelled(Unit unit, long now) {
        end(unit, StepState.CANCELLED, now);
        carryOn(unit.run(), now);
    }

    /** Ends a step or item, and notes what that sets free. */
    void end(Unit unit, StepState state, long now) {
        move(unit, state, now);
        switch (unit) {
            case Item item -> org.fanOuts.itemEnded(item, now);
            case RunStep step -> {
                for (PlannedStep dependent : step.planned.dependents()) {
                    RunStep next = step.run.steps[dependent.index];
                    next.openNeeds--;
                    if (next.openNeeds == 0) {
                        toConsider.add(next);
                    }
                }
            }
        }
    }

    /** Takes a step or item that is not claimed out of whatever it waits for. */
    void takeOut(Unit unit, long now) {
        org.timers.cancel(unit);
        if (unit.ticket != null) {
            takenOut = unit;
            waitedThere = Spending.untilTakenOut(
                    unit, org.admission.held(unit.ticket, now), refusal(unit, unit.ticket, now), now);
            org.admission.withdraw(unit.ticket, now);
            unit.ticket = null;
        }
    }

    /** What refuses a unit, as {@link Insight} says it first; of an item, what did when its step was stopped. */
    private Refusal refusal(Unit unit, Ticket ticket, long now) {
        Refusal atStop = unit instanceof Item item ? item.step().items().refusedAtStop : null;
        return atStop != null ? atStop : org.admission.refusal(ticket, now).orElse(Refusal.NO_WORKER);
    }

    /** The one place where a step or item changes its state, save for a grant. */
    void move(Unit unit, StepState next, long now) {
        StepState from = unit.state;
        Spending.moves(unit, next, unit.equals(takenOut) ? waitedThere : List.of(), now);
        takenOut = null;
        unit.state = from.moveTo(next);
        if (unit instanceof RunStep step) {
            if (next != StepState.WAITING) {
                step.waitsFor = null;
            }
            if (step.detail.lacks() != null && !lacksSomething(step)) {
                step.detail = step.detail.lacking(null);
            }
            step.run.count(step, from, next);
        }
        org.moves.add(new Move.StepMoved(unit.run().ref, unit.row(), from, now));
    }

    private static boolean lacksSomething(RunStep step) {
        return step.waitsFor == WaitsFor.MISSING_INPUT || step.waitsFor == WaitsFor.INVALID_ARTIFACT;
    }

    private static JsonNode nothing() {
        return JsonNodeFactory.instance.nullNode();
    }
}
