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
    private static final List<String> OF_WORK = List.of("slots", "exclusive", "flow_control", "priority", "retry");

    private InactiveFields() {}

    static List<ReadResult.Finding> of(SourceDocument document) {
        var found = new ProblemList(document);
        var root = new FieldReader(document.root(), "", found);
        if (!root.objects("triggers").isEmpty()) {
            name(root, "triggers", "they start no runs yet; start runs with POST /v1/runs or weir start");
        }
        FieldReader runtime = root.object("runtime");
        if (runtime != null && runtime.has("tick_interval") && !root.has("max_steps_per_tick")) {
            name(runtime, "tick_interval", "it does nothing without max_steps_per_tick");
        }
        root.objects("steps").forEach(InactiveFields::check);
        return found.inOrder().stream()
                .map(one -> new ReadResult.Finding(one.position(), one.path(), one.message()))
                .toList();
    }

    private static void check(FieldReader step) {
        if (step.has("emit")) {
            name(step, "emit", "the event is stored, and starts nothing yet: no trigger reads it");
        }
        if (step.has("invoke") && limits(step)) {
            name(
                    step,
                    "flow_control",
                    "beside invoke it limits how child runs are started, not how many run at once: a step that waits for"
                            + " its child holds nothing. To limit the children, give their workflow a flow_control or"
                            + " limits.max_concurrent_runs");
        }
        FieldReader gate = step.object("gate");
        if (gate != null && gate.has("note")) {
            name(gate, "note", "it is stored with the definition, and shown nowhere else yet");
        }
        boolean tried = step.has("uses") || step.has("call") || step.has("invoke") || step.has("emit");
        for (String field : OF_WORK) {
            boolean empty = field.equals("flow_control") && !limits(step);
            if (!tried && step.has(field) && !empty) {
                name(
                        step,
                        field,
                        "it does nothing here: a step that only waits passes no limit and is not tried again");
            }
        }
        if (step.has("on_needs_input") && !step.has("uses")) {
            name(
                    step,
                    "on_needs_input",
                    "it does nothing here: only a worker asks for input, so it belongs beside uses");
        }
    }

    private static boolean limits(FieldReader step) {
        return !step.objects("flow_control").isEmpty();
    }

    private static void name(FieldReader fields, String field, String message) {
        fields.problems().addName(fields.pathOf(field), message);
    }
}
