package dev.weir.core.reading;

import dev.weir.core.definition.Action;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the action of a step. */
final class ActionReader {
    private static final List<String> OF_STEP = List.of("uses", "call", "invoke", "sleep", "wait_for", "emit");
    private static final List<String> OF_STEP_OR_GATE =
            List.of("uses", "call", "invoke", "sleep", "wait_for", "emit", "gate");
    private static final String NOTHING = "";
    private static final List<String> OF_COMPENSATION = List.of("uses", "call");

    private ActionReader() {}

    static @Nullable Action ofStep(FieldReader step) {
        if (written(step, OF_STEP).isEmpty() && step.has("gate")) {
            return new Action.GateOnly();
        }
        String name = only(step, OF_STEP, OF_STEP_OR_GATE);
        return switch (name) {
            case "uses", "call" -> work(step, name);
            case "invoke" -> invoke(step);
            case "sleep" -> {
                Duration time = step.duration("sleep");
                yield time == null ? null : step.make(() -> new Action.Sleep(time));
            }
            case "wait_for" -> waitFor(step);
            case "emit" -> emit(step);
            default -> null;
        };
    }

    static Action.@Nullable Work ofCompensation(FieldReader compensation) {
        String name = only(compensation, OF_COMPENSATION, OF_COMPENSATION);
        return name.equals(NOTHING) ? null : work(compensation, name);
    }

    static Action.@Nullable Call call(FieldReader fields) {
        Template url = fields.template("url");
        Template headers = fields.template("headers", Template.emptyObject());
        Template body = fields.template("body");
        Action.Method method = fields.choice("method", Action.Method.GET);
        return url == null ? null : fields.make(() -> new Action.Call(method, url, headers, body));
    }

    private static Action.@Nullable Work work(FieldReader fields, String name) {
        if (name.equals("call")) {
            FieldReader call = fields.object("call");
            return call == null ? null : call(call);
        }
        String module = fields.text("uses");
        Template with = fields.template("with", Template.emptyObject());
        return module == null ? null : fields.make(() -> new Action.Uses(module, with));
    }

    private static @Nullable Action invoke(FieldReader step) {
        FieldReader fields = step.object("invoke");
        String workflow = fields == null ? null : fields.text("workflow");
        if (fields == null || workflow == null) {
            return null;
        }
        Template input = fields.template("input", Template.emptyObject());
        return fields.make(() -> new Action.Invoke(workflow, input));
    }

    private static @Nullable Action waitFor(FieldReader step) {
        FieldReader fields = step.object("wait_for");
        String signal = fields == null ? null : fields.text("signal");
        if (fields == null || signal == null) {
            return null;
        }
        Duration timeout = fields.duration("timeout");
        return fields.make(() -> new Action.WaitFor(signal, timeout));
    }

    private static @Nullable Action emit(FieldReader step) {
        FieldReader fields = step.object("emit");
        String event = fields == null ? null : fields.text("event");
        if (fields == null || event == null) {
            return null;
        }
        Template data = fields.template("data", Template.emptyObject());
        return fields.make(() -> new Action.Emit(event, data));
    }

    /** Returns the only action that is written. None or several are reported as a problem. */
    private static String only(FieldReader fields, List<String> possible, List<String> named) {
        List<String> written = written(fields, possible);
        if (written.size() == 1) {
            if (fields.has("with") && !written.getFirst().equals("uses")) {
                fields.problems()
                        .addName(
                                fields.path() + "/with",
                                "expected with only together with uses, found " + written.getFirst());
            }
            return written.getFirst();
        }
        String found = written.isEmpty() ? "none" : String.join(" and ", written);
        fields.problems().add(fields.path(), "expected one of " + String.join(", ", named) + ", found " + found);
        return NOTHING;
    }

    /** Returns those of the given fields that the step has. */
    static List<String> written(FieldReader fields, List<String> possible) {
        return possible.stream().filter(fields::has).toList();
    }
}
