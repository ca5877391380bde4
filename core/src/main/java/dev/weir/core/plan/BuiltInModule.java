package dev.weir.core.plan;

import dev.weir.core.definition.Action;
import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The modules that Weir serves itself, and the inputs of their steps. */
public final class BuiltInModule {
    /** The module name in the needs of every run, which queues for its own limits before it starts. */
    public static final String RUNS = "weir.runs";

    public static final String CALL = "weir.call";
    public static final String INVOKE = "weir.invoke";
    public static final String EMIT = "weir.emit";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private BuiltInModule() {}

    /** True if Weir itself serves a module, so that no other worker is given its steps. */
    public static boolean owns(String module) {
        return module.startsWith(Action.Uses.OWN);
    }

    /** Returns the module that carries out an action; absent if the step only waits for time, a person or a signal. */
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
