package dev.weir.core.life;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.Rendered;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.limit.Need;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the expressions of a step see, and what they give. */
final class Scopes {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Scopes() {}

    static Scope of(StartRun request, JsonNode input) {
        return Scope.of("run " + request.run())
                .with(Variable.INPUT, input)
                .with(Variable.RUN, NODES.objectNode().put("id", request.run()));
    }

    /** What a step sees that looks at nothing but its run. */
    static Scope of(PlannedStep step, String run, JsonNode input) {
        return Scope.of(step.toString())
                .with(Variable.INPUT, input)
                .with(Variable.RUN, NODES.objectNode().put("id", run));
    }

    static Scope of(RunStep step) {
        return Scope.of(step.planned.toString())
                .with(Variable.INPUT, step.run.input())
                .with(Variable.RUN, NODES.objectNode().put("id", step.run.id()))
                .with(Variable.STEPS, step.run.results())
                .with(Variable.FAILED, BooleanNode.valueOf(needsHaveFailed(step)))
                .with(Variable.SUCCEEDED, BooleanNode.valueOf(needsAreMet(step)));
    }

    private static Scope of(Unit unit) {
        if (!(unit instanceof Item item)) {
            return of(unit.step());
        }
        Items items = item.step().items();
        return items.scope(item.step())
                .with(Variable.ITEM, items.value(item.item()))
                .with(Variable.INDEX, NODES.numberNode(item.item()));
    }

    /** Whether a step runs, now that all that it needs has ended. */
    static boolean condition(RunStep step) {
        Template condition = step.planned.definition.preconditions().condition();
        return condition == null ? needsAreMet(step) : condition.test(of(step));
    }

    /** Completed, skipped, or failed in a way that the run goes on from. */
    private static boolean needsAreMet(RunStep step) {
        for (PlannedStep need : step.planned.needs()) {
            RunStep other = step.run.steps[need.index];
            boolean met = switch (other.state) {
                case COMPLETED, SKIPPED -> true;
                case FAILED -> need.onFailure() == OnFailure.CONTINUE;
                case BLOCKED, READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF, WAITING, CANCELLED -> false;
            };
            if (!met) {
                return false;
            }
        }
        return true;
    }

    private static boolean fails(Run run) {
        return run.ending != null && run.ending.as() == RunState.FAILED;
    }

    /** Something has failed, or did not come to run because of a failure. */
    private static boolean needsHaveFailed(RunStep step) {
        for (PlannedStep need : step.planned.needs()) {
            StepState state = step.run.steps[need.index].state;
            if (state == StepState.FAILED || (state == StepState.CANCELLED && fails(step.run))) {
                return true;
            }
        }
        return false;
    }

    /** Renders what a unit is given and what it asks for; literals cost nothing. */
    static void render(Unit unit, @Nullable ConcurrencyProfile profile) {
        Scope scope = rendersNothing(unit.step()) ? null : of(unit);
        unit.input = input(unit.step().planned, scope);
        unit.ask = ask(unit.step(), scope, profile == null ? ConcurrencyProfile.DEFAULT : profile);
    }

    private static boolean rendersNothing(RunStep step) {
        return step.planned.literalInput != null && step.planned.usualAsk != null && !hasOwnFlowControl(step);
    }

    private static boolean hasOwnFlowControl(RunStep step) {
        return step.run.request.flowControl() != null
                && step.planned.definition.demand().flowControl() == null;
    }

    private static Rendered input(PlannedStep planned, @Nullable Scope scope) {
        return planned.literalInput != null || scope == null
                ? Objects.requireNonNull(planned.literalInput)
                : planned.input.renderKeepingSecrets(scope);
    }

    private static Ask ask(RunStep step, @Nullable Scope scope, ConcurrencyProfile profile) {
        PlannedStep planned = step.planned;
        Integer own = planned.definition.demand().priority();
        int priority = own == null ? step.run.request.priority() : own;
        Ask usual = hasOwnFlowControl(step) ? null : planned.usualAsk;
        if (usual == null) {
            return planned.ask(needs(step, scope == null ? of(step) : scope), profile, priority);
        }
        boolean asUsual = usual.priority() == priority && profile.equals(ConcurrencyProfile.DEFAULT);
        return asUsual ? usual : planned.ask(usual.needs(), profile, priority);
    }

    /** The step's own keys, else those that its run was started with, else its workflow's. */
    private static List<Need> needs(RunStep step, Scope scope) {
        List<FlowControl> controls = hasOwnFlowControl(step)
                ? step.run.request.flowControl()
                : step.run.request.plan().workflow().flowControlOf(step.planned.definition);
        List<Need> needs = PlannedStep.needs(controls == null ? List.of() : controls, scope);
        if (needs.size() < 2) {
            return needs;
        }
        Set<Object> seen = new HashSet<>();
        for (Need need : needs) {
            if (!seen.add(need.limit())) {
                String found = "found twice: " + need.limit().text();
                throw new RenderFailed(scope, "expected flow_control to name every key once, " + found);
            }
        }
        return needs;
    }
}
