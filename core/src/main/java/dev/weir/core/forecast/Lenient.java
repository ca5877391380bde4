package dev.weir.core.forecast;

import dev.weir.core.definition.Ending;
import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import java.util.List;

/** A workflow that takes any data: a forecast draws its own, and nobody is there to mend what does not fit. */
final class Lenient {
    private Lenient() {}

    static Workflow of(Workflow workflow) {
        var about = new Workflow.About(workflow.about().name(), workflow.about().description(), null);
        return new Workflow(
                about,
                workflow.runLimits(),
                workflow.limits(),
                workflow.flowControl(),
                workflow.policy(),
                workflow.triggers(),
                workflow.steps().stream().map(Lenient::of).toList());
    }

    private static Step of(Step step) {
        Preconditions before = step.preconditions();
        Ending after = step.ending();
        return new Step(
                step.id(),
                step.description(),
                new Preconditions(before.needs(), List.of(), before.condition(), before.gate()),
                step.action(),
                step.fanOut(),
                step.demand(),
                step.attempts(),
                new Ending(after.onFailure(), after.onNeedsInput(), null, after.compensation()),
                step.optional());
    }
}
