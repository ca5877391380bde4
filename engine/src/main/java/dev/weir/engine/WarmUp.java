package dev.weir.engine;

import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads, compiles and evaluates a sample definition, once per process. The first expression of a process takes most of
 * a second, because the classes of CEL are loaded, and its evaluation is interpreted. Without this, the loop of a shard
 * would spend that time.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final int STEPS = 20;
    /** An expression that takes long enough for the JVM to compile the evaluation of expressions, and its repetitions. */
    private static final String LOOP = "range(10000).all(i, i >= 0 && input.n == 1)";

    private static final int LOOPS = 10;
    private static final CompletableFuture<Void> DONE = new CompletableFuture<>();
    private static final Thread THREAD =
            Thread.ofPlatform().daemon().name("weir warm-up").unstarted(WarmUp::run);

    private WarmUp() {}

    /** Begins the warm-up in the background, if that was not done before. */
    static synchronized void begin() {
        if (THREAD.getState() == Thread.State.NEW) {
            THREAD.start();
        }
    }

    /** Waits until the warm-up is over. */
    static void await() {
        begin();
        DONE.join();
    }

    private static void run() {
        try {
            Workflow workflow = WorkflowReader.read(sample().toString()).orThrow();
            Plan stored = Plan.of(
                    WorkflowReader.readStored(workflow.toJson().toString()).orThrow());
            JsonNode input = JsonMapper.shared().readTree("{\"n\": 1, \"list\": [1, 2], \"name\": \"a\"}");
            for (var step : stored.workflow().steps()) {
                evaluate(Objects.requireNonNull(step.preconditions().condition()), input);
            }
            for (int i = 0; i < LOOPS; i++) {
                evaluate(Template.of("${{ " + LOOP + " }}"), input);
            }
            JsonSchema.fromStored(JsonMapper.shared().readTree("{\"type\": \"object\", \"required\": [\"n\"]}"))
                    .validate(input);
        } catch (RuntimeException e) {
            LOG.warn("the warm-up failed, so the first commands take longer", e);
        } finally {
            DONE.complete(null);
        }
    }

    private static void evaluate(Template condition, JsonNode input) {
        condition.evaluateCondition(Scope.of("warm-up").with(Variable.INPUT, input));
    }

    /** Returns a workflow in which each step has another expression. */
    private static ObjectNode sample() {
        ObjectNode workflow = JsonMapper.shared().createObjectNode().put("workflow", "warm-up");
        ArrayNode steps = workflow.putArray("steps");
        for (int i = 0; i < STEPS; i++) {
            String expression = "input.list.all(x, x > 0 - " + i + ") && (input.n + " + i + " == " + i
                    + " ? input.name : string(size(input.list))) != '" + i + "'";
            steps.addObject().put("id", "s" + i).put("uses", "m").put("if", "${{ " + expression + " }}");
        }
        return workflow;
    }
}
