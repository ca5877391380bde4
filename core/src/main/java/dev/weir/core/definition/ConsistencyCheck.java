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
    private static final Set<Variable> OF_RUN = EnumSet.of(Variable.INPUT, Variable.RUN);
    private static final Set<Variable> OF_STEP = EnumSet.of(Variable.INPUT, Variable.RUN, Variable.STEPS);
    private static final Set<Variable> OF_CONDITION = EnumSet.of(
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
        List<StepGraph.Node> nodes = steps.stream()
                .map(step -> new StepGraph.Node(step.id(), step.needs()))
                .toList();
        List<DefinitionProblem> wrong = StepGraph.problems(nodes);
        if (!wrong.isEmpty()) {
            return wrong;
        }
        var consistency = new ConsistencyCheck(StepOrder.of(nodes));
        consistency.checkTriggers(triggers);
        if (limits.perKey() != null) {
            consistency.reads("/limits/run_key", limits.perKey().runKey(), OF_RUN);
        }
        consistency.checkKeys("/flow_control", flowControl, OF_RUN);
        for (int i = 0; i < steps.size(); i++) {
            consistency.checkStep("/steps/" + i, steps.get(i), runLimits.maxParallel());
        }
        return consistency.problems;
    }

    /**
     * Checks a call without a definition. It has no run whose data it could read. Secrets are inserted when the request
     * is sent.
     */
    static List<DefinitionProblem> problems(Action.Call call, List<FlowControl> flowControl) {
        var consistency = new ConsistencyCheck(StepOrder.of(List.of()));
        Set<Variable> secrets = EnumSet.of(Variable.SECRETS);
        consistency.reads("/url", call.url(), secrets);
        consistency.reads("/headers", call.headers(), secrets);
        consistency.reads("/body", call.body(), secrets);
        consistency.checkKeys("/flow_control", flowControl, EnumSet.noneOf(Variable.class));
        return consistency.problems;
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
                    reads(path + "/if", event.condition(), allowed);
                    reads(path + "/input", event.input(), allowed);
                    if (event.debounce() != null) {
                        reads(path + "/debounce/key", event.debounce().key(), allowed);
                    }
                }
                case Trigger.OnSchedule schedule ->
                    reads(path + "/input", schedule.input(), EnumSet.noneOf(Variable.class));
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
        reads(path + "/if", preconditions.condition(), OF_CONDITION);
        stepReads(path + "/if", step, preconditions.condition());
        if (preconditions.gate() != null) {
            reads(path + "/gate/note", preconditions.gate().note(), OF_STEP);
            stepReads(path + "/gate/note", step, preconditions.gate().note());
        }
        checkRequires(path, step);
        if (step.fanOut() != null) {
            reads(path + "/with_items", step.fanOut().items(), OF_STEP);
            stepReads(path + "/with_items", step, step.fanOut().items());
        }
        if (step.demand().flowControl() != null) {
            checkKeys(path + "/flow_control", step.demand().flowControl(), ofItem(step));
            step.demand().flowControl().forEach(control -> stepReads(path + "/flow_control", step, control.key()));
        }
        checkAction(path, step, step.action(), ofItem(step));
        if (step.ending().compensation() != null) {
            checkAction(path + "/compensate", step, step.ending().compensation().action(), OF_STEP);
        }
    }

    private void checkAction(String path, Step step, Action action, Set<Variable> allowed) {
        Set<Variable> secret = EnumSet.copyOf(allowed);
        secret.add(Variable.SECRETS);
        switch (action) {
            case Action.Uses uses -> action(path + "/with", step, uses.with(), secret);
            case Action.Call call -> {
                action(path + "/call/url", step, call.url(), secret);
                action(path + "/call/headers", step, call.headers(), secret);
                action(path + "/call/body", step, call.body(), secret);
            }
            case Action.Invoke invoke -> action(path + "/invoke/input", step, invoke.input(), allowed);
            case Action.Emit emit -> action(path + "/emit/data", step, emit.data(), allowed);
            case Action.Sleep ignored -> refuseItems(path, step, "sleep");
            case Action.WaitFor ignored -> refuseItems(path, step, "wait_for");
            case Action.GateOnly ignored -> refuseItems(path, step, "gate");
        }
    }

    private void refuseItems(String path, Step step, String action) {
        if (step.fanOut() != null) {
            String expected = "uses, call, invoke or emit together with with_items";
            problems.add(new DefinitionProblem(path + "/with_items", expected, "only " + action));
        }
    }

    private void action(String path, Step step, @Nullable Template template, Set<Variable> allowed) {
        reads(path, template, allowed);
        stepReads(path, step, template);
    }

    private void checkKeys(String path, List<FlowControl> list, Set<Variable> allowed) {
        for (int i = 0; i < list.size(); i++) {
            reads(path + "/" + i + "/key", list.get(i).key(), allowed);
        }
    }

    private static Set<Variable> ofItem(Step step) {
        Set<Variable> allowed = EnumSet.copyOf(OF_STEP);
        if (step.fanOut() != null) {
            allowed.add(Variable.ITEM);
            allowed.add(Variable.INDEX);
        }
        return allowed;
    }

    private void reads(String path, @Nullable Template template, Set<Variable> allowed) {
        if (template == null || template.isStored() || allowed.containsAll(template.variables())) {
            return;
        }
        Set<String> wrong = new TreeSet<>();
        template.variables().stream().filter(v -> !allowed.contains(v)).forEach(v -> wrong.add(v.word()));
        String known = allowed.stream().map(Variable::word).collect(Collectors.joining(", "));
        String expected = known.isEmpty() ? "no variables here" : "only " + known + " here";
        problems.add(new DefinitionProblem(path, expected, String.join(", ", wrong)));
    }

    /**
     * Checks that a step reads only the output of earlier steps. A compensation may also read the output of its own
     * step.
     */
    private void stepReads(String path, Step step, @Nullable Template template) {
        if (template == null || template.isStored()) {
            return;
        }
        boolean compensates = path.contains("/compensate/");
        for (String id : new TreeSet<>(template.steps())) {
            if (!(compensates && id.equals(step.id()))) {
                mustComeBefore(path, step, id);
            }
        }
    }

    private void checkRequires(String path, Step step) {
        List<DataPath> requires = step.preconditions().requires();
        for (int i = 0; i < requires.size(); i++) {
            List<String> segments = requires.get(i).segments();
            if (segments.getFirst().equals("steps")) {
                mustComeBefore(path + "/requires/" + i, step, segments.get(1));
            }
        }
    }

    private void mustComeBefore(String path, Step step, String id) {
        if (!order.ids().contains(id)) {
            String found = "steps." + id + ", which is not a step" + NearestName.hint(id, order.ids());
            problems.add(new DefinitionProblem(path, "a step of this workflow", found));
        } else if (!order.isBefore(id, step.id())) {
            String expected = "only steps that step '" + step.id() + "' needs, directly or indirectly";
            problems.add(new DefinitionProblem(path, expected, "steps." + id));
        }
    }
}
