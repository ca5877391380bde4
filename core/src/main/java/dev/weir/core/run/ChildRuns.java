package dev.weir.core.run;

import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.StartRun;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.Workflow;
import dev.weir.core.json.JsonLength;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out the actions that Weir does itself once their limits admit them. For {@code invoke} it starts a run, and
 * the step waits for that run without an allocation. For {@code emit} it emits an event. A parent run lends its own
 * allocation to its child runs, to one at a time.
 */
final class ChildRuns {
    /** The requester that claims of Weir itself name. */
    static final ClaimLifecycle.Requester WEIR = new ClaimLifecycle.Requester("weir", "weir", ClaimWork.LEASE_MIN);

    private final LiveOrganisation org;

    ChildRuns(LiveOrganisation org) {
        this.org = org;
    }

    /**
     * Carries out a step or item that Weir has claimed itself. Its start counts against its limits, and its claim ends
     * at once.
     */
    void execute(Unit unit, long now) {
        LiveClaim liveClaim = unit.liveClaim;
        if (liveClaim == null || unit.input == null) {
            throw new IllegalStateException("expected the claim and the input of " + unit + ", found none");
        }
        if (liveClaim.cancelRequested) {
            org.claims.releaseCancelled(liveClaim, now);
            org.steps.endCancelled(unit, now);
            return;
        }
        org.claims.release(liveClaim, Move.Released.Cause.REPORTED, now);
        JsonNode input = unit.input.value();
        if (unit.step().planned.definition().action() instanceof Action.Emit emit) {
            org.events.emit(new EventRow(
                    0,
                    emittedId(unit),
                    emit.event(),
                    null,
                    input.path("data"),
                    unit.id(),
                    nextLineage(unit, null),
                    now));
            // The emission is decided. Another attempt, such as after an output that does not fit, emits another event.
            unit.effect++;
            org.attemptOutcome.apply(unit, new Update.Completed(JsonNodeFactory.instance.nullNode()), now);
        } else {
            invoke(unit, input, now);
        }
    }

    /** Returns the lineage of a run or event that a step creates. */
    private static RunLineage nextLineage(Unit unit, @Nullable UnitId parent) {
        RunLineage own = unit.run().request.lineage();
        String run = unit.run().id();
        String root = own.root() == null ? run : own.root();
        String workflow = unit.run().request.plan().workflow().name();
        var link = new CausalChain.Link(CausalChain.Link.Kind.RUN, run, workflow);
        CausalChain chain = own.chain().followedBy(own.correlationId(run), link);
        return new RunLineage(null, parent, root, own.depth() + 1, null, chain);
    }

    /**
     * Returns the id of the event that a unit emits. It has the effect number instead of the fence, so it does not depend
     * on restarts: receivers can find out that they have handled the event before. The run's number tells it from an
     * event of an older run with the same id, which may outlive that run.
     */
    private static String emittedId(Unit unit) {
        String own = "." + unit.run().number() + suffix(unit, unit.effect);
        String id = EventRow.EMITTED_PREFIX + unit.run().id() + own;
        return id.length() <= EventRow.ID_CHARS_MAX ? id : EventRow.EMITTED_PREFIX + "~" + own;
    }

    private void invoke(Unit unit, JsonNode input, long now) {
        String workflow = input.path("workflow").asString("");
        if (Workflow.isReserved(workflow)) {
            fail(unit, "expected a workflow of your own, found " + workflow + ", which only Weir itself starts", now);
            return;
        }
        Plan plan = org.plans == null ? null : org.plans.newest(workflow);
        if (plan == null) {
            String nearest = org.workflows
                    .findNearest(workflow, now)
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            fail(unit, "workflow not found: " + workflow + nearest, now);
            return;
        }
        RunRequest request;
        try {
            request = childRequest(unit, plan, input);
        } catch (InvalidDefinition e) {
            fail(unit, "flow_control of the child run: " + e.getMessage(), now);
            return;
        }
        switch (new StartRun(request).decide(org.runControl, now)) {
            case StartRun.Answer.Accepted ignored -> waitForChild(unit, request.run(), now);
            case StartRun.Answer.QueueFull full -> fail(unit, full.queue().message(), now);
            case StartRun.Answer.CascadeDetected cascade -> {
                String reason = "cascade_detected: expected a chain of at most " + cascade.maxDepth() + ", found "
                        + cascade.depth();
                addDeadLetter(request, reason, now);
                fail(unit, reason, now);
            }
            case StartRun.Answer.Refused refused -> fail(unit, refused.reason(), now);
            case StartRun.Answer.Closed closed -> fail(unit, closed.reason(), now);
            case StartRun.Answer.Existing ignored -> failIdTaken(unit, request.run(), now);
            case StartRun.Answer.OtherBody ignored -> failIdTaken(unit, request.run(), now);
        }
    }

    /** Adds the dead letter of an invoked run that would make its chain too long. */
    private void addDeadLetter(RunRequest request, String reason, long now) {
        org.deadLetters.add(
                new DeadLetter.Content(
                        DeadLetter.Kind.CASCADE,
                        request.run(),
                        request.plan().workflow().name(),
                        List.of(),
                        DeadLetter.Reason.CASCADE_DETECTED,
                        reason,
                        TriggeredRuns.chain(request.lineage().chain()),
                        "",
                        null),
                now);
    }

    /**
     * Returns the start of the run that a unit invokes. Throws {@link InvalidDefinition} if the unit rendered keys that
     * the child run cannot have.
     */
    private static RunRequest childRequest(Unit unit, Plan plan, JsonNode input) {
        List<FlowControl> flowControl = unit.step().planned.definition().action() instanceof Action.Invoke invoke
                ? BuiltInModule.childFlowControl(invoke, input)
                : null;
        return new RunRequest(
                childId(unit),
                plan,
                input.path("input"),
                unit.run().request.priority(),
                flowControl,
                new TreeMap<>(),
                RunRequest.Options.DEFAULT,
                nextLineage(unit, unit.id()));
    }

    /**
     * Returns the id of the run that a unit invokes. No two claims of a step have the same fence, so no two of these
     * runs have the same id. Deep in a chain that id would be too long. It then begins with the number of the parent
     * run instead of its id, which is just as unique.
     */
    private static String childId(Unit unit) {
        String own = suffix(unit, unit.fence);
        String run = unit.run().id();
        return run.length() + own.length() <= RunRequest.RUN_CHARS_MAX
                ? run + own
                : "run-" + unit.run().number() + own;
    }

    private static String suffix(Unit unit, long number) {
        String item = unit.item() == UnitId.NO_ITEM ? "" : "." + unit.item();
        return "." + unit.step().planned.id() + item + "." + number;
    }

    private void failIdTaken(Unit unit, String id, long now) {
        fail(unit, "expected an unused run id for the child run, found run " + id, now);
    }

    private void fail(Unit unit, String error, long now) {
        org.attemptOutcome.apply(unit, new Update.Failed(error, true), now);
    }

    private void waitForChild(Unit unit, String child, long now) {
        unit.detail = unit.detail.withChild(child);
        if (unit instanceof RunStep step) {
            step.waitsFor = AwaitedEvent.CHILD;
        }
        org.steps.move(unit, StepState.WAITING, now);
        org.steps.advanceRun(unit.run(), now);
    }

    /**
     * Registers an accepted run with the run that has invoked it, and lends it the parent's allocation if no other run
     * has borrowed that.
     */
    void registerChild(Run child) {
        Run parent = parent(child);
        if (parent != null) {
            parent.addChild(child);
            if (parent.borrower() == null) {
                lend(parent, child);
            }
        }
    }

    private @Nullable Run parent(Run child) {
        UnitId unit = child.request.lineage().parent();
        return unit == null ? null : org.runs.find(unit.run());
    }

    /**
     * Lends again to a run that borrows, after its needs have changed: it also borrows its parent's share of the new
     * limits.
     */
    void lendAgain(Run child) {
        Run parent = parent(child);
        if (parent != null && child.detail.borrows()) {
            lend(parent, child);
        }
    }

    private void lend(Run parent, Run child) {
        Set<LimitId.Shared> lent = new HashSet<>();
        for (Run lender = parent; lender != null; lender = lender.detail.borrows() ? parent(lender) : null) {
            lender.limitNeeds.needs().forEach(need -> lent.add(need.limit()));
        }
        List<LimitNeed> needs = new ArrayList<>();
        for (LimitNeed need : child.limitNeeds.needs()) {
            needs.add(lent.contains(need.limit()) ? need.withoutWeight() : need);
        }
        LimitNeeds own = child.limitNeeds;
        child.limitNeeds = new LimitNeeds(own.module(), needs, own.slots(), own.exclusive(), own.priority());
        child.detail = child.detail.withBorrows(true);
    }

    /**
     * Handles the end of a child run. The step that has invoked it goes on, and the next waiting child run borrows the
     * allocation.
     */
    void handleChildEnd(Run child, RunState finalState, long now) {
        Run parent = parent(child);
        if (parent == null) {
            return;
        }
        parent.children().remove(child);
        if (child.detail.borrows()) {
            lendToNextChild(parent, now);
        }
        Unit unit = findWaiting(child);
        if (unit != null) {
            if (finalState == RunState.CANCELLED && unit.step().isStopped()) {
                org.steps.endCancelled(unit, now);
            } else {
                org.attemptOutcome.apply(unit, result(child, finalState), now);
            }
        }
    }

    /** True if a step or item waits for this run and will handle its end. */
    boolean isAwaited(Run child) {
        return findWaiting(child) != null;
    }

    /** Finds the step or item that has invoked a run and waits for its end. */
    private @Nullable Unit findWaiting(Run child) {
        UnitId id = child.request.lineage().parent();
        Unit unit = id == null ? null : org.find(id);
        return unit != null && unit.state == StepState.WAITING && child.id().equals(unit.detail.child()) ? unit : null;
    }

    private static Update result(Run child, RunState finalState) {
        if (finalState == RunState.COMPLETED) {
            ObjectNode output = output(child);
            int chars = JsonLength.of(output);
            return chars <= Update.OUTPUT_CHARS_MAX
                    ? new Update.Completed(output)
                    : new Update.Failed(
                            "expected outputs of at most " + Update.OUTPUT_CHARS_MAX + " characters in total from run "
                                    + child.id() + ", found " + chars,
                            true);
        }
        String reason = child.ending == null ? "" : ": " + child.ending.reason();
        return new Update.Failed("run " + child.id() + " " + finalState.name().toLowerCase(Locale.ROOT) + reason, true);
    }

    /** Returns the output of a run: the outputs of its completed steps, by step id. */
    private static ObjectNode output(Run run) {
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        for (RunStep step : run.steps) {
            if (step.state == StepState.COMPLETED && step.lastOutcome instanceof Update.Completed completed) {
                output.set(step.planned.id(), completed.output());
            }
        }
        return output;
    }

    /**
     * Lends the parent's allocation, which is free again, to the child run that has waited longest for one of its own.
     */
    private void lendToNextChild(Run parent, long now) {
        for (Run next : parent.children()) {
            if (next.limiter == null && next.ticket != null) {
                org.admission.withdraw(next.ticket, now);
                next.ticket = null;
                lend(parent, next);
                org.moves.add(new Move.RunChanged(next.ref, next.limitNeeds, next.detail, now));
                org.runLifecycle.queueOrDelay(next, now);
                return;
            }
        }
    }

    /** True if a step or item waits for a live run. */
    boolean isWaitingForChild(Unit unit) {
        return unit.state == StepState.WAITING && unit.detail.child() != null && org.runs.contains(unit.detail.child());
    }

    /** Cancels the run that a step or item has invoked. The step ends when that run has ended. */
    void cancelChild(Unit unit, RunEnding ending, long now) {
        Run child = org.runs.find(unit.detail.child());
        if (child != null) {
            String reason = "run " + unit.run().id() + ", which invoked it, is ending: " + ending.reason();
            org.runLifecycle.cancel(child, new RunEnding(RunState.CANCELLED, ending.policy(), reason, now), now);
        }
    }
}
