package dev.weir.core.plan;

import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.json.JsonLength;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A step of a plan, with everything that its runs share. */
public final class PlannedStep {
    private static final int CHARACTERS_PER_UNIT = 8;
    private static final Set<Variable> RUN_VARIABLES = Set.of(Variable.INPUT, Variable.RUN);

    private final int index;
    private final Step definition;
    private final @Nullable String module;
    private final Template input;
    /** The input, if it contains no expression. */
    private final @Nullable RenderedTemplate literalInput;

    /** The cost of the literal part of the input, in budget units. It is written with each item. */
    private final long literalUnits;

    /** True if the input depends only on the run's id and input. */
    private final boolean readsRunOnly;

    private final long timeout;
    private final boolean runsAfterFailure;
    private final boolean runsAfterCancel;
    /** The needs, if nothing in them depends on the run. */
    private final @Nullable LimitNeeds defaultLimitNeeds;
    /** The ticket spec of {@link #defaultLimitNeeds}, for a step that is not fanned out. */
    private final @Nullable TicketSpec defaultSpec;

    /** The templates that are rendered when the step becomes ready. */
    private final List<Template> templates;

    /** The step that undoes this one, if any. */
    private @Nullable PlannedStep compensation;
    /** True if this is the compensation of another step. */
    private final boolean isCompensation;

    private final List<PlannedStep> needs = new ArrayList<>(1);
    private final List<PlannedStep> dependents = new ArrayList<>(1);

    PlannedStep(Workflow workflow, Step definition, int index) {
        this(workflow, definition, index, false);
    }

    private PlannedStep(Workflow workflow, Step definition, int index, boolean isCompensation) {
        this.index = index;
        this.isCompensation = isCompensation;
        this.definition = definition;
        this.module = BuiltInModule.moduleOf(definition.action());
        this.input = BuiltInModule.inputOf(definition.action());
        this.literalInput = input.isLiteral() ? new RenderedTemplate(input.source(), List.of()) : null;
        this.literalUnits = JsonLength.of(input.source()) / CHARACTERS_PER_UNIT;
        this.readsRunOnly = RUN_VARIABLES.containsAll(input.mentionedVariables());
        this.timeout = Moment.micros(definition.attempts().timeout());
        Template condition = definition.preconditions().condition();
        Set<Variable> mentioned = condition == null ? Set.of() : condition.mentionedVariables();
        this.runsAfterCancel = mentioned.contains(Variable.ALWAYS);
        this.runsAfterFailure = runsAfterCancel || mentioned.contains(Variable.FAILED);
        this.defaultLimitNeeds = defaultLimitNeeds(workflow);
        this.defaultSpec = defaultLimitNeeds == null ? null : defaultLimitNeeds.toTicketSpec(null);
        this.templates = templates(workflow);
    }

    private List<Template> templates(Workflow workflow) {
        List<Template> all = new ArrayList<>(2);
        all.add(input);
        if (definition.preconditions().condition() != null) {
            all.add(definition.preconditions().condition());
        }
        if (definition.fanOut() != null) {
            all.add(definition.fanOut().items());
        }
        workflow.flowControlOf(definition).forEach(control -> all.add(control.key()));
        return List.copyOf(all);
    }

    /** Returns the templates that are rendered when the step becomes ready. */
    public List<Template> templates() {
        return templates;
    }

    /** Returns the index in definition order, from 0. The compensations follow the steps. */
    public int index() {
        return index;
    }

    public Step definition() {
        return definition;
    }

    /** Returns the module that does the work; null if the step only waits. */
    public @Nullable String module() {
        return module;
    }

    public Template input() {
        return input;
    }

    /** Returns the input if it contains no expression; otherwise null. */
    public @Nullable RenderedTemplate literalInput() {
        return literalInput;
    }

    /** Returns the cost of the literal part of the input, in budget units. */
    public long literalUnits() {
        return literalUnits;
    }

    /** True if the input depends only on the run's id and input. */
    boolean readsRunOnly() {
        return readsRunOnly;
    }

    /** Returns the longest time of an attempt, in microseconds. */
    public long timeout() {
        return timeout;
    }

    public boolean runsAfterFailure() {
        return runsAfterFailure;
    }

    public boolean runsAfterCancel() {
        return runsAfterCancel;
    }

    /** Returns the needs if nothing in them depends on the run; otherwise null. */
    public @Nullable LimitNeeds defaultLimitNeeds() {
        return defaultLimitNeeds;
    }

    /** Returns the ticket spec of {@link #defaultLimitNeeds}, for a step that is not fanned out. */
    public @Nullable TicketSpec defaultSpec() {
        return defaultSpec;
    }

    private @Nullable LimitNeeds defaultLimitNeeds(Workflow workflow) {
        List<FlowControl> controls = workflow.flowControlOf(definition);
        if (module == null
                || controls.stream().anyMatch(control -> !control.key().isLiteral())) {
            return null;
        }
        Scope emptyScope = Scope.of(toString());
        return limitNeedsFor(
                workflow,
                controls.stream().map(control -> control.renderKey(emptyScope)).toList());
    }

    /** Returns needs with these shared limits. The step's own settings override its module's defaults. */
    public LimitNeeds limitNeeds(List<LimitNeed> shared, ConcurrencyProfile profile, int priority) {
        return new LimitNeeds(module == null ? "" : module, shared, slots(profile), isExclusive(profile), priority);
    }

    public int slots(ConcurrencyProfile profile) {
        Integer own = definition.demand().slots();
        return own == null ? profile.slots() : own;
    }

    public boolean isExclusive(ConcurrencyProfile profile) {
        Boolean own = definition.demand().exclusive();
        return own == null ? profile.exclusive() : own;
    }

    public static List<LimitNeed> needs(List<FlowControl> controls, Scope scope) {
        List<LimitNeed> needs = new ArrayList<>(controls.size());
        for (FlowControl control : controls) {
            needs.add(toLimitNeed(control, control.renderKey(scope)));
        }
        return needs;
    }

    private static LimitNeed toLimitNeed(FlowControl control, String key) {
        return new LimitNeed(
                new LimitId.Key(key),
                control.parallelism() == null ? LimitNeed.UNLIMITED : control.parallelism(),
                control.weight(),
                control.rate() == null ? null : toRate(control.rate()),
                control.cost());
    }

    /** Returns the needs with these keys, one for each of the step's flow controls. */
    LimitNeeds limitNeedsFor(Workflow workflow, List<String> keys) {
        List<FlowControl> controls = workflow.flowControlOf(definition);
        List<LimitNeed> needs = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            needs.add(toLimitNeed(controls.get(i), keys.get(i)));
        }
        Integer own = definition.demand().priority();
        int priority = own == null ? workflow.policy().priority() : own;
        return limitNeeds(needs, ConcurrencyProfile.DEFAULT, priority);
    }

    /** Returns the keys for which {@link #limitNeedsFor} gives exactly these needs; null if there are none. */
    @Nullable
    List<String> keysOf(Workflow workflow, LimitNeeds limitNeeds) {
        if (workflow.flowControlOf(definition).size() != limitNeeds.needs().size()) {
            return null;
        }
        List<String> keys = new ArrayList<>(limitNeeds.needs().size());
        for (LimitNeed need : limitNeeds.needs()) {
            if (need.limit() instanceof LimitId.Key key) {
                keys.add(key.name());
            }
        }
        return keys.size() == limitNeeds.needs().size()
                        && limitNeedsFor(workflow, keys).equals(limitNeeds)
                ? keys
                : null;
    }

    private static dev.weir.core.limit.Rate toRate(dev.weir.core.definition.RateLimit rate) {
        return switch (rate.window()) {
            case SLIDING -> dev.weir.core.limit.Rate.sliding(rate.count(), Moment.micros(rate.period()));
            case FIXED -> dev.weir.core.limit.Rate.fixed(rate.count(), Moment.micros(rate.period()));
        };
    }

    void needs(PlannedStep other) {
        needs.add(other);
        other.dependents.add(this);
    }

    public List<PlannedStep> needs() {
        return needs;
    }

    public List<PlannedStep> dependents() {
        return dependents;
    }

    /** Plans the compensation of this step. */
    PlannedStep planCompensation(Workflow workflow, int number) {
        compensation = new PlannedStep(workflow, definition.toCompensationStep(), number, true);
        return compensation;
    }

    public boolean hasCompensation() {
        return compensation != null;
    }

    public PlannedStep compensation() {
        return Objects.requireNonNull(compensation, this::toString);
    }

    public boolean isCompensation() {
        return isCompensation;
    }

    public String id() {
        return isCompensation ? definition.id() + Compensation.SUFFIX : definition.id();
    }

    public OnFailure onFailure() {
        return definition.resultRules().onFailure();
    }

    @Override
    public String toString() {
        return "step " + id();
    }
}
