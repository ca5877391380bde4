package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import dev.weir.core.json.JsonPointers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The work of a step. */
public sealed interface Action {
    /** Work that only needs a worker. Only such work can compensate a step. */
    sealed interface Work extends Action {}

    /**
     * Work done by a module that workers serve.
     *
     * @param module the module's id
     * @param with the input, an object
     */
    record Uses(String module, Template with) implements Work {
        /** The prefix of the names of Weir's built-in modules. */
        public static final String BUILT_IN_PREFIX = "weir.";

        public Uses {
            FieldChecks.checkName("uses", module);
            if (module.startsWith(BUILT_IN_PREFIX)) {
                String expected =
                        "a module that workers serve; names that begin with " + BUILT_IN_PREFIX + " are reserved";
                throw new InvalidDefinition("uses", expected, FieldChecks.quoted(module));
            }
            FieldChecks.checkObject("with", with);
        }
    }

    /**
     * An HTTP request. The status, headers and body of the response are the output.
     *
     * @param headers an object whose values are texts
     * @param body JSON, or text that is sent unchanged; absent = no body
     */
    record Call(
            Method method,
            Template url,
            Template headers,
            @Nullable Template body) implements Work {
        public Call {
            FieldChecks.checkUrl("url", url);
            FieldChecks.checkObject("headers", headers);
            for (var header : headers.source().properties()) {
                if (!header.getValue().isString()) {
                    String found = FieldChecks.quoted(header.getValue().toString());
                    throw new InvalidDefinition("headers/" + JsonPointers.escape(header.getKey()), "text", found);
                }
            }
            if (body != null && !method.takesBody()) {
                throw new InvalidDefinition("body", "a method that takes a body, such as POST", method.name());
            }
        }
    }

    /**
     * The HTTP request that the run's input describes as a {@link TriggerCall}. Only Weir's own workflow for triggered
     * calls has this action; no workflow file can contain it.
     */
    record TriggeredCall() implements Action {}

    /**
     * Starts a run of another workflow of the same organisation and waits for its end.
     *
     * @param flowControl keys that the steps of that run inherit instead of its workflow's, rendered by the invoking
     *     step; absent = its workflow's
     */
    record Invoke(String workflow, Template input, @Nullable List<FlowControl> flowControl) implements Action {
        public Invoke {
            FieldChecks.checkName("workflow", workflow);
            flowControl = flowControl == null ? null : FlowControl.requireDistinctKeys(flowControl);
        }

        public Invoke(String workflow, Template input) {
            this(workflow, input, null);
        }
    }

    /** Waits for a time. The step takes no capacity meanwhile. */
    record Sleep(Duration time) implements Action {
        public Sleep {
            FieldChecks.checkPositive("sleep", time);
        }
    }

    /**
     * Waits for a signal to the run.
     *
     * @param timeout the time after which the step fails; absent = no timeout
     */
    record WaitFor(String signal, @Nullable Duration timeout) implements Action {
        public WaitFor {
            FieldChecks.checkName("signal", signal);
            FieldChecks.checkPositive("timeout", timeout);
        }
    }

    /** Sends an event to the organisation's triggers. */
    record Emit(String event, Template data) implements Action {
        public Emit {
            FieldChecks.checkName("event", event);
        }
    }

    /** No work besides the step's gate: the step completes when it is approved. */
    record GateOnly() implements Action {}

    /** The HTTP methods of a call. */
    enum Method {
        GET,
        HEAD,
        OPTIONS,
        POST,
        PUT,
        PATCH,
        DELETE;

        public boolean takesBody() {
            return this != GET && this != HEAD && this != OPTIONS;
        }
    }
}
