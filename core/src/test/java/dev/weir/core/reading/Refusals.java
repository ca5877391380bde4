package dev.weir.core.reading;

import dev.weir.core.definition.Workflow;
import java.util.List;

/** Why a text is refused; one that is accepted fails the test. */
final class Refusals {
    private Refusals() {}

    static List<Refusal> of(String text) {
        return switch (WorkflowReader.read(text)) {
            case Reading.Accepted<Workflow> accepted -> throw new AssertionError("accepted: " + accepted.value());
            case Reading.Refused<Workflow> refused -> refused.refusals();
        };
    }
}
