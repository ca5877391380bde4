package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.naming.NearestName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that the parts of a workflow fit together, which no part can check by itself. */
final class ConsistencyCheck {
    private static final Set<Variable> RUN_VARIABLES = EnumSet.of(Variable.INPUT, Variable.RUN);
    private static final Set<Variable> STEP_VARIABLES = EnumSet.of(Variable.INPUT, Variable.RUN, Variable.STEPS);
    private static final Set<Variable> CONDITION_VARIABLES = EnumSet.of(
            Variable.INPUT, Variable.RUN, Variable.STEPS, Variable.ALWAYS, Variable.FAILED, Variable.SUCCEEDED);

    private final List<DefinitionProblem> problems = new ArrayList<>();
    private final StepOrder order;

    private ConsistencyCheck(StepOrder order) {
        this.order = order;
    }

    static List<DefinitionProblem> problems(
            RunLimits runLimits,
            WorkflowLimits limits,
            List<FlowControl> flowControl,
            List<Trigger> triggers,
            List<Step> steps) {
        List<StepGraph.GraphStep> nodes = steps.stream()
                .map(step -> new StepGraph.GraphStep(step.id(), step.needs()))
                .toList();
        List<DefinitionProblem> wrong = StepGraph.problems(nodes);
        if (!wrong.isEmpty()) {
            return wrong;
        }
        var check = new ConsistencyCheck(StepOrder.of(nodes));
        check.checkTriggers(triggers);
        if (limits.perKey() != null) {
            check.checkVariables("/limits/run_key", limits.perKey().runKey(), RUN_VARIABLES);
        }
        check.checkKeys("/flow_control", flowControl, RUN_VARIABLES);
        for (int i = 0; i < steps.size(); i++) {
            check.checkStep("/steps/" + i, steps.get(i), runLimits.maxParallel());
        }
        return check.problems;
    }

    private void checkTriggers(List<Trigger> triggers) {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < triggers.size(); i++) {
            String path = "/triggers/" + i;
            Trigger trigger = triggers.get(i);
            if (!ids.add(trigger.id())) {
                problems.add(new DefinitionProblem(path + "/id", "a unique trigger id", "'" + trigger.id() + "'"));
            }
            switch (trigger) {
                case Trigger.OnEvent event -> {
                    Set<Variable> allowed = EnumSet.of(Variable.EVENT);
                    checkVariables(path + "/if", event.condition(), allowed);
                    checkVariables(path + "/input", event.input(), allowed);
                    if (event.debounce() != null) {
                        checkVariables(path + "/debounce/key", event.debounce().key(), allowed);
                    }
                }
                case Trigger.OnSchedule schedule ->
                    checkVariables(path + "/input", schedule.input(), EnumSet.noneOf(Variable.class));
            }
        }
    }

    private void checkStep(String path, Step step, @Nullable Integer maxParallel) {
        Integer slots = step.demand().slots();
        if (slots != null && maxParallel != null && slots > maxParallel) {
            String expected = "at most the runtime.max_parallel of " + maxParallel;
            problems.add(new DefinitionProblem(path + "/slots", expected, slots + ", which never fits"));
        }
        Preconditions preconditions = step.preconditions();
        checkVariables(path + "/if", preconditions.condition(), CONDITION_VARIABLES);
        checkStepReferences(path + "/if", step, preconditions.condition());
        if (preconditions.gate() != null) {
            checkVariables(path + "/gate/note", preconditions.gate().note(), STEP_VARIABLES);
            checkStepReferences(path + "/gate/note", step, preconditions.gate().note());
        }
        checkRequires(path, step);
        if (step.fanOut() != null) {
            checkVariables(path + "/with_items", step.fanOut().items(), STEP_VARIABLES);
            checkStepReferences(path + "/with_items", step, step.fanOut().items());
        }
        if (step.demand().flowControl() != null) {
            checkKeys(path + "/flow_control", step.demand().flowControl(), itemVariables(step));
            step.demand()
                    .flowControl()
                    .forEach(control -> checkStepReferences(path + "/flow_control", step, control.key()));
        }
        checkAction(path, step, step.action(), itemVariables(step));
        if (step.resultRules().compensation() != null) {
            checkAction(
                    path + "/compensate",
                    step,
                    step.resultRules().compensation().action(),
                    STEP_VARIABLES);
        }
    }

    private void checkAction(String path, Step step, Action action, Set<Variable> allowed) {
        Set<Variable> allowedWithSecrets = EnumSet.copyOf(allowed);
        allowedWithSecrets.add(Variable.SECRETS);
        switch (action) {
            case Action.Uses uses -> checkTemplate(path + "/with", step, uses.with(), allowedWithSecrets);
            case Action.Call call -> {
                checkTemplate(path + "/call/url", step, call.url(), allowedWithSecrets);
                checkTemplate(path + "/call/headers", step, call.headers(), allowedWithSecrets);
                checkTemplate(path + "/call/body", step, call.body(), allowedWithSecrets);
            }
            case Action.TriggeredCall ignored -> refuseItems(path, step, "triggered_call");
            case Action.Invoke invoke -> checkInvoke(path + "/invoke", step, invoke, allowed);
            case Action.Emit emit -> checkTemplate(path + "/emit/data", step, emit.data(), allowed);
            case Action.Sleep ignored -> refuseItems(path, step, "sleep");
            case Action.WaitFor ignored -> refuseItems(path, step, "wait_for");
            case Action.GateOnly ignored -> refuseItems(path, step, "gate");
        }
    }

    private void checkInvoke(String path, Step step, Action.Invoke invoke, Set<Variable> allowed) {
        checkTemplate(path + "/input", step, invoke.input(), allowed);
        if (invoke.flowControl() != null) {
            checkKeys(path + "/flow_control", invoke.flowControl(), allowed);
            invoke.flowControl().forEach(control -> checkStepReferences(path + "/flow_control", step, control.key()));
        }
    }

    private void refuseItems(String path, Step step, String action) {
        if (step.fanOut() != null) {
            String expected = "uses, call, invoke or emit together with with_items";
            problems.add(new DefinitionProblem(path + "/with_items", expected, "only " + action));
        }
    }

    private void checkTemplate(String path, Step step, @Nullable Template template, Set<Variable> allowed) {
        checkVariables(path, template, allowed);
        checkStepReferences(path, step, template);
    }

    private void checkKeys(String path, List<FlowControl> list, Set<Variable> allowed) {
        for (int i = 0; i < list.size(); i++) {
            checkVariables(path + "/" + i + "/key", list.get(i).key(), allowed);
        }
    }

    private static Set<Variable> itemVariables(Step step) {
        Set<Variable> allowed = EnumSet.copyOf(STEP_VARIABLES);
        if (step.fanOut() != null) {
            allowed.add(Variable.ITEM);
            allowed.add(Variable.INDEX);
        }
        return allowed;
    }

    private void checkVariables(String path, @Nullable Template template, Set<Variable> allowed) {
        if (template == null || template.isStored() || allowed.containsAll(template.variables())) {
            return;
        }
        Set<String> wrong = new TreeSet<>();
        template.variables().stream().filter(v -> !allowed.contains(v)).forEach(v -> wrong.add(v.variableName()));
        String known = allowed.stream().map(Variable::variableName).collect(Collectors.joining(", "));
        String expected = known.isEmpty() ? "no variables here" : "only " + known + " here";
        problems.add(new DefinitionProblem(path, expected, String.join(", ", wrong)));
    }

    /**
     * Checks that a step reads only the output of earlier steps. A compensation may also read the output of its own
     * step.
     */
    private void checkStepReferences(String path, Step step, @Nullable Template template) {
        if (template == null || template.isStored()) {
            return;
        }
        boolean isCompensation = path.contains("/compensate/");
        for (String id : new TreeSet<>(template.steps())) {
            if (!(isCompensation && id.equals(step.id()))) {
                checkComesBefore(path, step, id);
            }
        }
    }

    private void checkRequires(String path, Step step) {
        List<DataPath> requires = step.preconditions().requires();
        for (int i = 0; i < requires.size(); i++) {
            List<String> segments = requires.get(i).segments();
            if (segments.getFirst().equals("steps")) {
                checkComesBefore(path + "/requires/" + i, step, segments.get(1));
            }
        }
    }

    private void checkComesBefore(String path, Step step, String id) {
        if (!order.ids().contains(id)) {
            String found = "steps." + id + ", which is not a step" + NearestName.hint(id, order.ids());
            problems.add(new DefinitionProblem(path, "a step of this workflow", found));
        } else if (!order.isBefore(id, step.id())) {
            String expected = "only steps that step '" + step.id() + "' needs, directly or indirectly";
            problems.add(new DefinitionProblem(path, expected, "steps." + id));
        }
    }
}
