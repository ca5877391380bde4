package dev.weir.forecast;

import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.ResultRules;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import java.util.List;

/**
 * Removes the schemas and required values of a workflow, so that it accepts any data. A forecast invents its data, and
 * no operator is there to correct data that does not fit.
 */
final class LenientWorkflow {
    private LenientWorkflow() {}

    static Workflow of(Workflow workflow) {
        var about = new Workflow.About(workflow.about().name(), workflow.about().description(), null);
        return new Workflow(
                about,
                workflow.runLimits(),
                workflow.limits(),
                workflow.flowControl(),
                workflow.policy(),
                workflow.triggers(),
                workflow.steps().stream().map(LenientWorkflow::of).toList());
    }

    private static Step of(Step step) {
        Preconditions preconditions = step.preconditions();
        ResultRules resultRules = step.resultRules();
        return new Step(
                step.id(),
                step.description(),
                new Preconditions(preconditions.needs(), List.of(), preconditions.condition(), preconditions.gate()),
                step.action(),
                step.fanOut(),
                step.demand(),
                step.attempts(),
                new ResultRules(resultRules.onFailure(), resultRules.onNeedsInput(), null, resultRules.compensation()),
                step.optional());
    }
}
