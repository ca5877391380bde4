package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a step does. */
public sealed interface Action {
    /** What may undo a step: work that needs nothing but a worker. */
    sealed interface Work extends Action {}

    /**
     * Work done by a module that workers serve.
     *
     * @param module the module's id
     * @param with the input, an object
     */
    record Uses(String module, Template with) implements Work {
        /** What the names of Weir's own modules begin with. */
        public static final String OWN = "weir.";

        public Uses {
            Require.name("uses", module);
            if (module.startsWith(OWN)) {
                String expected = "a module that workers serve; names that begin with " + OWN + " are Weir's own";
                throw new InvalidDefinition("uses", expected, Require.quoted(module));
            }
            Require.object("with", with);
        }
    }

    /**
     * An HTTP request; status, headers and body of the answer are the output.
     *
     * @param headers an object of texts
     * @param body JSON, or text that is sent as it is; absent = no body
     */
    record Call(
            Method method,
            Template url,
            Template headers,
            @Nullable Template body) implements Work {
        public Call {
            Require.url("url", url);
            Require.object("headers", headers);
            for (var header : headers.source().properties()) {
                if (!header.getValue().isString()) {
                    String found = Require.quoted(header.getValue().toString());
                    throw new InvalidDefinition("headers/" + Pointer.escape(header.getKey()), "text", found);
                }
            }
            if (body != null && !method.takesBody()) {
                throw new InvalidDefinition("body", "a method that takes a body, such as POST", method.name());
            }
        }
    }

    /** Starts a run of another workflow of the same organisation and waits for its end. */
    record Invoke(String workflow, Template input) implements Action {
        public Invoke {
            Require.name("workflow", workflow);
        }
    }

    /** Waits, and holds nothing meanwhile. */
    record Sleep(Duration time) implements Action {
        public Sleep {
            Require.positive("sleep", time);
        }
    }

    /**
     * Waits for a signal to the run.
     *
     * @param timeout after how long the step fails; absent = it waits for ever
     */
    record WaitFor(String signal, @Nullable Duration timeout) implements Action {
        public WaitFor {
            Require.name("signal", signal);
            Require.positive("timeout", timeout);
        }
    }

    /** Sends an event to the organisation's triggers. */
    record Emit(String event, Template data) implements Action {
        public Emit {
            Require.name("event", event);
        }
    }

    /** Nothing but the step's gate: it is done when it is approved. */
    record GateOnly() implements Action {}

    /** The methods of a call. */
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
