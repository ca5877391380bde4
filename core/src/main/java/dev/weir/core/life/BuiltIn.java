package dev.weir.core.life;

import dev.weir.core.definition.Action;
import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The modules that Weir serves itself, and what their steps are given. */
public final class BuiltIn {
    /** What every run waits for before it starts: a place among the runs. */
    public static final String RUNS = "weir.runs";

    public static final String CALL = "weir.call";
    public static final String INVOKE = "weir.invoke";
    public static final String EMIT = "weir.emit";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private BuiltIn() {}

    /** Whether no worker but Weir's own is given the steps of a module. */
    public static boolean owns(String module) {
        return module.startsWith(Action.Uses.OWN);
    }

    /** The module that does an action; absent where nothing but time, a person or a signal does. */
    static @Nullable String module(Action action) {
        return switch (action) {
            case Action.Uses uses -> uses.module();
            case Action.Call ignored -> CALL;
            case Action.Invoke ignored -> INVOKE;
            case Action.Emit ignored -> EMIT;
            case Action.WaitFor ignored -> null;
            case Action.Sleep ignored -> null;
            case Action.GateOnly ignored -> null;
        };
    }

    static Template input(Action action) {
        return switch (action) {
            case Action.Uses uses -> uses.with();
            case Action.Call call -> Template.of(call(call));
            case Action.Invoke invoke ->
                Template.of(object().put("workflow", invoke.workflow())
                        .set("input", invoke.input().source()));
            case Action.Emit emit ->
                Template.of(object().put("event", emit.event())
                        .set("data", emit.data().source()));
            case Action.WaitFor ignored -> Template.emptyObject();
            case Action.Sleep ignored -> Template.emptyObject();
            case Action.GateOnly ignored -> Template.emptyObject();
        };
    }

    private static ObjectNode call(Action.Call call) {
        ObjectNode input = object().put("method", call.method().name());
        input.set("url", call.url().source());
        input.set("headers", call.headers().source());
        if (call.body() != null) {
            input.set("body", call.body().source());
        }
        return input;
    }

    private static ObjectNode object() {
        return NODES.objectNode();
    }
}
