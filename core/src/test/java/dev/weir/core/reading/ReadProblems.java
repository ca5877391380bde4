package dev.weir.core.reading;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Workflow;
import java.util.List;

/** Returns the reasons why a text is refused. An accepted text fails the test. */
final class ReadProblems {
    private ReadProblems() {}

    static List<ReadProblem> of(String text) {
        return switch (WorkflowReader.read(text)) {
            case ReadResult.Accepted<Workflow> accepted -> throw new AssertionError("accepted: " + accepted.value());
            case ReadResult.Refused<Workflow> refused -> refused.problems();
        };
    }

    static List<ReadProblem> ofFlowControl(String text) {
        return switch (WorkflowReader.readFlowControl(text)) {
            case ReadResult.Accepted<List<FlowControl>> accepted ->
                throw new AssertionError("accepted: " + accepted.value());
            case ReadResult.Refused<List<FlowControl>> refused -> refused.problems();
        };
    }
}
