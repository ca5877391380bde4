package dev.weir.core.definition;

import java.util.List;

/** One HTTP request under limits, without any definition. */
public record LimitedCall(Action.Call call, List<FlowControl> flowControl) {
    public LimitedCall {
        flowControl = FlowControl.requireDistinctKeys(flowControl);
        List<DefinitionProblem> problems = ConsistencyCheck.problems(call, flowControl);
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }
}
