package dev.weir.core.run;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.command.RunControl;
import dev.weir.core.command.SendSignal;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.plan.RunNeeds;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Carries out commands on live runs. */
final class LiveRunControl extends LiveRunLookup implements RunControl {
    LiveRunControl(LiveOrganisation org) {
        super(org);
    }

    private Run get(String run) {
        Run found = org.runs.find(run);
        if (found == null) {
            throw new IllegalStateException("expected a live run, found none with the id " + run);
        }
        return found;
    }

    @Override
    public RunState accept(RunRequest request, long now) {
        return org.runLifecycle.accept(request, needs(request, request.input()), now).state;
    }

    @Override
    public Optional<String> findStartRefusal(String workflow) {
        return org.stops.findStartRefusal(workflow);
    }

    @Override
    public int maxCascadeDepth(Workflow workflow, long now) {
        return org.startRules.maxCascadeDepth(workflow, now);
    }

    @Override
    public Optional<FullQueue> findFullQueue(RunRequest request, long now) {
        return org.startRules.findFullQueue(request, () -> needs(request, request.input()), now);
    }

    private LimitNeeds needs(RunRequest request, JsonNode input) {
        return RunNeeds.of(request.plan(), request.run(), input, request.priority(), org.budget.counter);
    }

    @Override
    public void takeOverResults(String run, Map<String, StepRow> results, long now) {
        Run found = get(run);
        ArrayDeque<RunStep> next = new ArrayDeque<>();
        for (RunStep step : found.steps) {
            if (step.openNeeds == 0) {
                next.add(step);
            }
        }
        for (RunStep step = next.poll(); step != null; step = next.poll()) {
            StepRow row = results.get(step.planned.id());
            if (row != null) {
                org.steps.takeOverResult(step, row, now);
                for (PlannedStep dependent : step.planned.dependents()) {
                    RunStep after = found.steps[dependent.index()];
                    if (after.openNeeds == 0) {
                        next.add(after);
                    }
                }
            }
        }
        org.steps.advanceRun(found, now);
    }

    @Override
    public RunState cancel(String run, RunEnding ending, long now) {
        Run found = get(run);
        org.runLifecycle.cancel(found, ending, now);
        return found.state;
    }

    @Override
    public void pause(String run, long now) {
        org.runLifecycle.pause(get(run), now);
    }

    @Override
    public void resume(String run, long now) {
        org.runLifecycle.resume(get(run), now);
    }

    @Override
    public void setDeadline(String run, long until, long now) {
        Run found = get(run);
        found.detail = found.detail.withDeadline(until);
        org.moves.add(new Move.RunChanged(found.ref, found.limitNeeds, found.detail, now));
        org.runLifecycle.scheduleDeadline(found);
    }

    @Override
    public void override(String run, @Nullable RunOverrides overrides, long now) {
        Run found = get(run);
        found.overrides = overrides;
        if (found.limiter != null) {
            org.admission.setOverrides(found.limiter, overrides);
        }
        org.moves.add(new Move.RunOverridden(found.ref, overrides, now));
    }

    @Override
    public boolean isMissingInput(String run) {
        return get(run).hasStepWaitingFor(AwaitedEvent.MISSING_INPUT);
    }

    @Override
    public boolean isCreatingItems(String run) {
        return get(run).isCreatingItems();
    }

    @Override
    public void amendInput(String run, JsonNode input, long now) {
        Run found = get(run);
        if (found.limiter == null) {
            LimitNeeds needs = needs(found.request, input);
            found.amend(input);
            if (!org.runLifecycle.changeNeeds(found, needs, now)) {
                org.moves.add(new Move.RunChanged(found.ref, found.limitNeeds, found.detail, now));
            }
        } else {
            found.amend(input);
            org.moves.add(new Move.RunChanged(found.ref, found.limitNeeds, found.detail, now));
            org.missingData.recheckSteps(found, now);
        }
    }

    @Override
    public SendSignal.Answer send(SendSignal signal, long now) {
        return org.signals.send(get(signal.run()), signal, now);
    }
}
