package dev.weir.core.run;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.TriggerCall;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.expression.Variable;
import dev.weir.core.json.JsonLength;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.plan.RunScope;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Evaluates the expressions of a step: builds their scope, tests the condition, renders the input and the needs. */
final class StepExpressions {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The characters of a request that are written to its row in the time of one unit. */
    private static final int CHARACTERS_PER_UNIT = 8;

    private StepExpressions() {}

    static Scope scopeOf(RunStep step, UnitCounter counter) {
        return RunScope.of(step.planned.toString(), step.run.id(), step.run.input(), counter)
                .with(Variable.STEPS, step.run.results())
                .with(Variable.FAILED, BooleanNode.valueOf(needsHaveFailed(step)))
                .with(Variable.SUCCEEDED, BooleanNode.valueOf(needsAreMet(step)));
    }

    /** Returns the scope of one item of a step. */
    static Scope scopeOf(Item item, UnitCounter counter) {
        ItemSet items = item.step().items();
        return items.scope(item.step(), counter)
                .with(Variable.ITEM, items.value(item.item()))
                .with(Variable.INDEX, NODES.numberNode(item.item()));
    }

    /**
     * Compiles the expressions of a step that no step has used since the definition was loaded. Returns false if the
     * budget of the decision is spent before all of them are compiled.
     */
    static boolean compile(RunStep step, DecisionBudget budget) {
        long before = budget.counter.units();
        boolean ready = true;
        for (Template template : step.planned.templates()) {
            ready = ready && template.makeReady(budget.counter, budget::isSpent);
        }
        if (hasOwnFlowControl(step)) {
            for (FlowControl control : Objects.requireNonNull(step.run.request.flowControl())) {
                ready = ready && control.key().makeReady(budget.counter, budget::isSpent);
            }
        }
        budget.recordCost(step, before);
        return ready;
    }

    /** True if a step runs, now that all its needs have ended. */
    static boolean testCondition(RunStep step, Supplier<Scope> scopeSupplier) {
        Template condition = step.planned.definition().preconditions().condition();
        return condition == null ? needsAreMet(step) : condition.evaluateCondition(scopeSupplier.get());
    }

    /** True if every needed step was completed or skipped, or failed with {@code on_failure: continue}. */
    private static boolean needsAreMet(RunStep step) {
        for (PlannedStep need : step.planned.needs()) {
            RunStep other = step.run.steps[need.index()];
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

    private static boolean isFailing(Run run) {
        return run.ending != null && run.ending.finalState() == RunState.FAILED;
    }

    /** True if a needed step failed, or was cancelled because of a failure. */
    private static boolean needsHaveFailed(RunStep step) {
        for (PlannedStep need : step.planned.needs()) {
            StepState state = step.run.steps[need.index()].state;
            if (state == StepState.FAILED || (state == StepState.CANCELLED && isFailing(step.run))) {
                return true;
            }
        }
        return false;
    }

    /** Renders the input and the needs of a unit. No scope is built if all of that is literal. */
    static void render(Unit unit, Supplier<Scope> scopeSupplier, @Nullable ConcurrencyProfile profile) {
        Scope scope = isLiteral(unit.step()) ? null : scopeSupplier.get();
        unit.input = unit.step().isTriggeredCall()
                ? renderTriggeredCall(unit.step(), Objects.requireNonNull(scope))
                : renderInput(unit.step().planned, scope);
        unit.limitNeeds = limitNeeds(unit.step(), scope, profile == null ? ConcurrencyProfile.DEFAULT : profile);
    }

    private static boolean isLiteral(RunStep step) {
        return !step.isTriggeredCall()
                && step.planned.literalInput() != null
                && step.planned.defaultLimitNeeds() != null
                && !hasOwnFlowControl(step);
    }

    private static boolean hasOwnFlowControl(RunStep step) {
        return step.run.request.flowControl() != null
                && step.planned.definition().demand().flowControl() == null;
    }

    /** Returns the request that the run's input describes. The input is data, in which nothing is evaluated. */
    private static RenderedTemplate renderTriggeredCall(RunStep step, Scope scope) {
        scope.addUnits(JsonLength.of(step.run.input()) / CHARACTERS_PER_UNIT);
        try {
            return TriggerCall.ofInput(step.run.input()).toRequest();
        } catch (InvalidDefinition e) {
            throw new RenderFailed(scope, String.valueOf(e.getMessage()));
        }
    }

    private static RenderedTemplate renderInput(PlannedStep planned, @Nullable Scope scope) {
        return planned.literalInput() != null || scope == null
                ? Objects.requireNonNull(planned.literalInput())
                : planned.input().renderKeepingSecrets(scope);
    }

    private static LimitNeeds limitNeeds(RunStep step, @Nullable Scope scope, ConcurrencyProfile profile) {
        PlannedStep planned = step.planned;
        Integer ownPriority = planned.definition().demand().priority();
        int priority = ownPriority == null ? step.run.request.priority() : ownPriority;
        LimitNeeds defaultNeeds = hasOwnFlowControl(step) ? null : planned.defaultLimitNeeds();
        if (defaultNeeds == null) {
            return planned.limitNeeds(keyNeeds(step, Objects.requireNonNull(scope)), profile, priority);
        }
        boolean isDefault = defaultNeeds.priority() == priority && profile.equals(ConcurrencyProfile.DEFAULT);
        return isDefault ? defaultNeeds : planned.limitNeeds(defaultNeeds.needs(), profile, priority);
    }

    /**
     * Returns the needs of the step's own keys, else of those that its run was started with, else of its workflow's.
     */
    private static List<LimitNeed> keyNeeds(RunStep step, Scope scope) {
        List<FlowControl> controls = hasOwnFlowControl(step)
                ? step.run.request.flowControl()
                : step.run.request.plan().workflow().flowControlOf(step.planned.definition());
        List<LimitNeed> needs = PlannedStep.needs(controls == null ? List.of() : controls, scope);
        if (needs.size() < 2) {
            return needs;
        }
        Set<Object> seen = new HashSet<>();
        for (LimitNeed need : needs) {
            if (!seen.add(need.limit())) {
                String found = "found twice: " + need.limit().text();
                throw new RenderFailed(scope, "expected flow_control to name every key once, " + found);
            }
        }
        return needs;
    }
}
