package dev.weir.core.reading;

import java.util.List;

/**
 * Finds fields that are accepted but do nothing, or less than their names promise. They are reported when the
 * definition is registered, so that nobody waits for an effect that never comes.
 */
final class InactiveFields {
    /**
     * Fields about limits or retries. They only have an effect on work, because only work passes limits and has
     * attempts.
     */
    private static final List<String> WORK_FIELDS = List.of("slots", "exclusive", "flow_control", "priority", "retry");

    private InactiveFields() {}

    static List<ReadResult.Finding> of(SourceDocument document) {
        var found = new ProblemList(document);
        var root = new FieldReader(document.root(), "", found);
        FieldReader runtime = root.object("runtime");
        if (runtime != null && runtime.has("tick_interval") && !root.has("max_steps_per_tick")) {
            addFinding(runtime, "tick_interval", "it has no effect without max_steps_per_tick");
        }
        root.objects("steps").forEach(InactiveFields::checkStep);
        return found.inTextOrder().stream()
                .map(problem -> new ReadResult.Finding(problem.position(), problem.path(), problem.message()))
                .toList();
    }

    private static void checkStep(FieldReader step) {
        if (step.has("invoke") && hasFlowControl(step)) {
            addFinding(
                    step,
                    "flow_control",
                    "with invoke, it limits the starts of child runs, not how many run at once: a step that waits for"
                            + " its child occupies no limit. To limit the child run's steps, set flow_control inside"
                            + " invoke");
        }
        FieldReader gate = step.object("gate");
        if (gate != null && gate.has("note")) {
            addFinding(gate, "note", "Weir stores it with the definition, but does not show it anywhere else yet");
        }
        boolean hasAttempts = step.has("uses") || step.has("call") || step.has("invoke") || step.has("emit");
        for (String field : WORK_FIELDS) {
            boolean isEmpty = field.equals("flow_control") && !hasFlowControl(step);
            if (!hasAttempts && step.has(field) && !isEmpty) {
                addFinding(
                        step,
                        field,
                        "it has no effect here: a step that only waits passes no limit and has no retries");
            }
        }
        if (step.has("on_needs_input") && !step.has("uses")) {
            addFinding(
                    step,
                    "on_needs_input",
                    "it has no effect here: only workers ask for input, so it belongs to steps with uses");
        }
    }

    private static boolean hasFlowControl(FieldReader step) {
        return !step.objects("flow_control").isEmpty();
    }

    private static void addFinding(FieldReader fields, String field, String message) {
        fields.problems().addAtName(fields.pathOf(field), message);
    }
}
