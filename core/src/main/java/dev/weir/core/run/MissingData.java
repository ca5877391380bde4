package dev.weir.core.run;

import dev.weir.core.definition.DataPath;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Move;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Manages steps that wait for a person to amend data: missing input, or an output that does not match its schema. */
final class MissingData {
    private final LiveOrganisation org;

    MissingData(LiveOrganisation org) {
        this.org = org;
    }

    /**
     * Describes the data that a step, whose dependencies have ended, lacks in its run's input and in earlier outputs.
     * It is null if nothing is missing.
     */
    @Nullable
    String describeMissing(RunStep step) {
        String misfit = step.run.inputMisfit(org.budget.counter);
        if (misfit != null) {
            return misfit;
        }
        for (DataPath path : step.planned.definition().preconditions().requires()) {
            if (isMissing(step.run, path.segments())) {
                return "expected a value at " + path + ", found none";
            }
        }
        return null;
    }

    private static boolean isMissing(Run run, List<String> path) {
        JsonNode node = path.getFirst().equals("input") ? run.input() : run.results();
        for (String name : path.subList(1, path.size())) {
            node = node.path(name);
        }
        return node.isMissingNode() || node.isNull();
    }

    /** Describes why an output does not match the step's schema; absent = it matches. */
    @Nullable
    String misfit(RunStep step, JsonNode output) {
        JsonSchema schema = step.planned.definition().resultRules().outputSchema();
        return schema == null ? null : SchemaMisfit.describe(schema, output, org.budget.counter);
    }

    /** Lets a step wait until the data is amended. In a run that is ending nobody would amend it, so the step fails. */
    void await(RunStep step, AwaitedEvent awaitedEvent, String dataProblem, long now) {
        if (step.run.ending != null) {
            failUnamended(step, awaitedEvent, dataProblem, now);
        } else if (step.waitsFor != awaitedEvent) {
            step.detail = step.detail.withDataProblem(dataProblem);
            org.steps.await(step, awaitedEvent, dev.weir.core.limit.Moment.NEVER, now);
        } else if (!dataProblem.equals(step.detail.dataProblem())) {
            step.detail = step.detail.withDataProblem(dataProblem);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    private void failUnamended(RunStep step, AwaitedEvent awaitedEvent, @Nullable String dataProblem, long now) {
        step.lastOutcome = new Update.Failed(awaitedEvent.text() + ": " + dataProblem, true);
        org.steps.end(step, StepState.FAILED, now);
    }

    /** Ends a step that waits for a person, because its run is ending and nobody will do what the step waits for. */
    void failWaiting(RunStep step, long now) {
        AwaitedEvent awaitedEvent = step.waitsFor;
        if (awaitedEvent == AwaitedEvent.MISSING_INPUT || awaitedEvent == AwaitedEvent.INVALID_ARTIFACT) {
            failUnamended(step, awaitedEvent, step.detail.dataProblem(), now);
        } else if (awaitedEvent == AwaitedEvent.OPERATOR) {
            org.steps.end(step, StepState.FAILED, now);
        }
    }

    /** True if a step waits for data that the output of another one, which has ended, should have. */
    static boolean hasMissingOutputData(RunStep ended) {
        for (RunStep other : ended.run.steps) {
            if (other.waitsFor == AwaitedEvent.MISSING_INPUT && requiresOutputOf(other, ended)) {
                return true;
            }
        }
        return false;
    }

    private static boolean requiresOutputOf(RunStep other, RunStep ended) {
        return other.planned.definition().preconditions().requires().stream()
                .map(path -> path.segments())
                .anyMatch(path -> path.getFirst().equals("steps") && path.get(1).equals(ended.planned.id()));
    }

    /** Checks the waiting steps of a run again after its input or an output was amended. */
    void recheckSteps(Run run, long now) {
        for (RunStep step : run.steps) {
            if (step.waitsFor == AwaitedEvent.MISSING_INPUT) {
                org.readiness.add(step);
            }
        }
        org.steps.advanceRun(run, now);
    }
}
