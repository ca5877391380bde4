package dev.weir.core.reading;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the action of a step. */
final class ActionReader {
    private static final List<String> STEP_ACTIONS = List.of("uses", "call", "invoke", "sleep", "wait_for", "emit");
    private static final List<String> STEP_ACTIONS_AND_GATE =
            List.of("uses", "call", "invoke", "sleep", "wait_for", "emit", "gate");
    private static final String NO_ACTION = "";
    private static final List<String> COMPENSATION_ACTIONS = List.of("uses", "call");

    private ActionReader() {}

    static @Nullable Action readStepAction(FieldReader step) {
        if (presentFields(step, STEP_ACTIONS).isEmpty() && step.has("gate")) {
            return new Action.GateOnly();
        }
        if (step.problems().isStored() && step.has("triggered_call")) {
            return new Action.TriggeredCall();
        }
        String name = findOnlyAction(step, STEP_ACTIONS, STEP_ACTIONS_AND_GATE);
        return switch (name) {
            case "uses", "call" -> readWork(step, name);
            case "invoke" -> readInvoke(step);
            case "sleep" -> {
                Duration time = step.duration("sleep");
                yield time == null ? null : step.buildOrReport(() -> new Action.Sleep(time));
            }
            case "wait_for" -> readWaitFor(step);
            case "emit" -> readEmit(step);
            default -> null;
        };
    }

    static Action.@Nullable Work readCompensationAction(FieldReader compensation) {
        String name = findOnlyAction(compensation, COMPENSATION_ACTIONS, COMPENSATION_ACTIONS);
        return name.equals(NO_ACTION) ? null : readWork(compensation, name);
    }

    private static Action.@Nullable Call readCall(FieldReader fields) {
        Template url = fields.template("url");
        Template headers = fields.template("headers", Template.emptyObject());
        Template body = fields.template("body");
        Action.Method method = fields.choice("method", Action.Method.GET);
        return url == null ? null : fields.buildOrReport(() -> new Action.Call(method, url, headers, body));
    }

    private static Action.@Nullable Work readWork(FieldReader fields, String name) {
        if (name.equals("call")) {
            FieldReader call = fields.object("call");
            return call == null ? null : readCall(call);
        }
        String module = fields.text("uses");
        Template with = fields.template("with", Template.emptyObject());
        return module == null ? null : fields.buildOrReport(() -> new Action.Uses(module, with));
    }

    private static @Nullable Action readInvoke(FieldReader step) {
        FieldReader fields = step.object("invoke");
        String workflow = fields == null ? null : fields.text("workflow");
        if (fields == null || workflow == null) {
            return null;
        }
        Template input = fields.template("input", Template.emptyObject());
        List<FlowControl> flowControl = LimitsReader.readFlowControl(fields);
        return fields.buildOrReport(() -> new Action.Invoke(workflow, input, flowControl));
    }

    private static @Nullable Action readWaitFor(FieldReader step) {
        FieldReader fields = step.object("wait_for");
        String signal = fields == null ? null : fields.text("signal");
        if (fields == null || signal == null) {
            return null;
        }
        Duration timeout = fields.duration("timeout");
        return fields.buildOrReport(() -> new Action.WaitFor(signal, timeout));
    }

    private static @Nullable Action readEmit(FieldReader step) {
        FieldReader fields = step.object("emit");
        String event = fields == null ? null : fields.text("event");
        if (fields == null || event == null) {
            return null;
        }
        Template data = fields.template("data", Template.emptyObject());
        return fields.buildOrReport(() -> new Action.Emit(event, data));
    }

    /** Returns the only action that is written. None or several are reported as a problem. */
    private static String findOnlyAction(FieldReader fields, List<String> possible, List<String> expected) {
        List<String> present = presentFields(fields, possible);
        if (present.size() == 1) {
            if (fields.has("with") && !present.getFirst().equals("uses")) {
                fields.problems()
                        .addAtName(
                                fields.path() + "/with",
                                "expected with only together with uses, found " + present.getFirst());
            }
            return present.getFirst();
        }
        String found = present.isEmpty() ? "none" : String.join(" and ", present);
        fields.problems().add(fields.path(), "expected one of " + String.join(", ", expected) + ", found " + found);
        return NO_ACTION;
    }

    /** Returns those of the given fields that the step has. */
    static List<String> presentFields(FieldReader fields, List<String> possible) {
        return possible.stream().filter(fields::has).toList();
    }
}
