package dev.weir.core.life;

import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Rendered;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A step of a plan, with all that its runs have in common. */
final class PlannedStep {
    private static final Set<Variable> OF_RUN = Set.of(Variable.INPUT, Variable.RUN);

    final int index;
    final Step definition;
    final @Nullable String module;
    final Template input;
    /** The input where no expression is in it. */
    final @Nullable Rendered literalInput;

    /** Whether its input follows from its run's id and input alone. */
    final boolean readsRunOnly;

    final long timeout;
    final boolean runsAfterFailure;
    final boolean runsAfterCancel;
    /** What it asks for where nothing of it depends on the run. */
    final @Nullable Ask usualAsk;
    /** The same as admission takes it, where the step is not fanned out. */
    final @Nullable TicketSpec usualSpec;

    /** What undoes it. */
    private @Nullable PlannedStep compensation;
    /** Whether it undoes another step. */
    private final boolean undoes;

    private final List<PlannedStep> needs = new ArrayList<>(1);
    private final List<PlannedStep> dependents = new ArrayList<>(1);

    PlannedStep(Workflow workflow, Step definition, int index) {
        this(workflow, definition, index, false);
    }

    private PlannedStep(Workflow workflow, Step definition, int index, boolean undoes) {
        this.index = index;
        this.undoes = undoes;
        this.definition = definition;
        this.module = BuiltIn.module(definition.action());
        this.input = BuiltIn.input(definition.action());
        this.literalInput = input.isLiteral() ? new Rendered(input.source(), List.of()) : null;
        this.readsRunOnly = OF_RUN.containsAll(input.variables());
        this.timeout = Moment.micros(definition.attempts().timeout());
        Template condition = definition.preconditions().condition();
        Set<Variable> read = condition == null ? Set.of() : condition.variables();
        this.runsAfterCancel = read.contains(Variable.ALWAYS);
        this.runsAfterFailure = runsAfterCancel || read.contains(Variable.FAILED);
        this.usualAsk = usualAsk(workflow);
        this.usualSpec = usualAsk == null ? null : usualAsk.spec(null);
    }

    private @Nullable Ask usualAsk(Workflow workflow) {
        List<FlowControl> controls = workflow.flowControlOf(definition);
        if (module == null
                || controls.stream().anyMatch(control -> !control.key().isLiteral())) {
            return null;
        }
        Scope nothing = Scope.of(toString());
        return askFor(
                workflow,
                controls.stream().map(control -> control.keyIn(nothing)).toList());
    }

    /** The ask with these needs; what the step says itself beats its module's profile. */
    Ask ask(List<Need> shared, ConcurrencyProfile profile, int priority) {
        return new Ask(module == null ? "" : module, shared, slots(profile), exclusive(profile), priority);
    }

    int slots(ConcurrencyProfile profile) {
        Integer own = definition.demand().slots();
        return own == null ? profile.slots() : own;
    }

    boolean exclusive(ConcurrencyProfile profile) {
        Boolean own = definition.demand().exclusive();
        return own == null ? profile.exclusive() : own;
    }

    static List<Need> needs(List<FlowControl> controls, Scope scope) {
        List<Need> needs = new ArrayList<>(controls.size());
        for (FlowControl control : controls) {
            needs.add(need(control, control.keyIn(scope)));
        }
        return needs;
    }

    private static Need need(FlowControl control, String key) {
        return new Need(
                new LimitId.Key(key),
                control.parallelism() == null ? Need.UNLIMITED : control.parallelism(),
                control.weight(),
                control.rate() == null ? null : rate(control.rate()),
                control.cost());
    }

    /** What it asks for with these keys, one for each of its flow controls. */
    Ask askFor(Workflow workflow, List<String> keys) {
        List<FlowControl> controls = workflow.flowControlOf(definition);
        List<Need> needs = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            needs.add(need(controls.get(i), keys.get(i)));
        }
        Integer own = definition.demand().priority();
        int priority = own == null ? workflow.policy().priority() : own;
        return ask(needs, ConcurrencyProfile.DEFAULT, priority);
    }

    /** The keys with which it asks for just that; nothing if there are none. */
    @Nullable
    List<String> keysOf(Workflow workflow, Ask ask) {
        if (workflow.flowControlOf(definition).size() != ask.needs().size()) {
            return null;
        }
        List<String> keys = new ArrayList<>(ask.needs().size());
        for (Need need : ask.needs()) {
            if (need.limit() instanceof LimitId.Key key) {
                keys.add(key.name());
            }
        }
        return keys.size() == ask.needs().size() && askFor(workflow, keys).equals(ask) ? keys : null;
    }

    private static dev.weir.core.limit.Rate rate(dev.weir.core.definition.Rate rate) {
        return switch (rate.window()) {
            case SLIDING -> dev.weir.core.limit.Rate.sliding(rate.count(), Moment.micros(rate.period()));
            case FIXED -> dev.weir.core.limit.Rate.fixed(rate.count(), Moment.micros(rate.period()));
        };
    }

    void needs(PlannedStep other) {
        needs.add(other);
        other.dependents.add(this);
    }

    List<PlannedStep> needs() {
        return needs;
    }

    List<PlannedStep> dependents() {
        return dependents;
    }

    /** Plans what undoes this step. */
    PlannedStep compensate(Workflow workflow, int number) {
        compensation = new PlannedStep(workflow, definition.compensating(), number, true);
        return compensation;
    }

    boolean canBeUndone() {
        return compensation != null;
    }

    PlannedStep compensation() {
        return Objects.requireNonNull(compensation, this::toString);
    }

    boolean undoes() {
        return undoes;
    }

    String id() {
        return undoes ? definition.id() + Compensation.SUFFIX : definition.id();
    }

    OnFailure onFailure() {
        return definition.ending().onFailure();
    }

    /** Whether it is still looked at in a run that is on its way to this end. */
    boolean runsIn(Ending ending) {
        return undoes || (ending.as() == RunState.CANCELLED ? runsAfterCancel : runsAfterFailure);
    }

    @Override
    public String toString() {
        return "step " + id();
    }
}
