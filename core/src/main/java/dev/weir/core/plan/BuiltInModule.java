package dev.weir.core.plan;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.expression.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The modules that Weir serves itself, and the inputs of their steps. */
public final class BuiltInModule {
    /** The module name in the needs of every run, which queues for its own limits before it starts. */
    public static final String RUNS = "weir.runs";

    public static final String CALL = "weir.call";
    public static final String INVOKE = "weir.invoke";
    public static final String EMIT = "weir.emit";

    /** The prefix of the fields of an invoking step's input with the keys of its child run: {@code key_0}, … */
    private static final String KEY_OF_CHILD = "key_";

    private BuiltInModule() {}

    /** Returns the flow control of a child run, with the keys that the invoking step has rendered. */
    public static @Nullable List<FlowControl> childFlowControl(Action.Invoke invoke, JsonNode input) {
        if (invoke.flowControl() == null) {
            return null;
        }
        List<FlowControl> controls = new ArrayList<>();
        for (FlowControl control : invoke.flowControl()) {
            controls.add(control.withRenderedKey(input.path(KEY_OF_CHILD + controls.size())));
        }
        return FlowControl.requireDistinctKeys(controls);
    }

    /** True if Weir itself serves a module, so that no other worker is given its steps. */
    public static boolean isBuiltIn(String module) {
        return module.startsWith(Action.Uses.BUILT_IN_PREFIX);
    }

    /** Returns the module that carries out an action; absent if the step only waits for time, a person or a signal. */
    static @Nullable String moduleOf(Action action) {
        return switch (action) {
            case Action.Uses uses -> uses.module();
            case Action.Call ignored -> CALL;
            case Action.TriggeredCall ignored -> CALL;
            case Action.Invoke ignored -> INVOKE;
            case Action.Emit ignored -> EMIT;
            case Action.WaitFor ignored -> null;
            case Action.Sleep ignored -> null;
            case Action.GateOnly ignored -> null;
        };
    }

    static Template inputOf(Action action) {
        return switch (action) {
            case Action.Uses uses -> uses.with();
            case Action.Call call -> Template.ofFields(callInput(call));
            case Action.TriggeredCall ignored -> Template.emptyObject();
            case Action.Invoke invoke -> Template.ofFields(invokeInput(invoke));
            case Action.Emit emit ->
                Template.ofFields(new TreeMap<>(Map.of("event", text(emit.event()), "data", emit.data())));
            case Action.WaitFor ignored -> Template.emptyObject();
            case Action.Sleep ignored -> Template.emptyObject();
            case Action.GateOnly ignored -> Template.emptyObject();
        };
    }

    private static SortedMap<String, Template> callInput(Action.Call call) {
        SortedMap<String, Template> input = new TreeMap<>();
        input.put("method", text(call.method().name()));
        input.put("url", call.url());
        input.put("headers", call.headers());
        if (call.body() != null) {
            input.put("body", call.body());
        }
        return input;
    }

    private static SortedMap<String, Template> invokeInput(Action.Invoke invoke) {
        SortedMap<String, Template> input = new TreeMap<>();
        input.put("workflow", text(invoke.workflow()));
        input.put("input", invoke.input());
        List<FlowControl> controls = invoke.flowControl() == null ? List.of() : invoke.flowControl();
        for (int i = 0; i < controls.size(); i++) {
            input.put(KEY_OF_CHILD + i, controls.get(i).key());
        }
        return input;
    }

    private static Template text(String value) {
        return Template.of(value);
    }
}
