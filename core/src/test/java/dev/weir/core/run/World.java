package dev.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.EndPoll;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.ApprovalGate;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.DataPath;
import dev.weir.core.definition.FailureTolerance;
import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.ResultRules;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.StepDemand;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An organisation and its clock, with short methods for what tests do to it. */
public final class World {
    public static final long SECOND = 1_000_000;
    public static final long LEASE = 30 * SECOND;
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The workflows that steps can invoke. */
    public final Map<String, Plan> plans = new HashMap<>();

    public Organisation org = new Organisation(plans::get);
    public final List<Move> moves = new ArrayList<>();
    public long now = 1_000 * SECOND;
    private int requests;

    public static JsonNode json(String text) {
        return JSON.readTree(text.replace('\'', '"'));
    }

    public <A> A handle(Command<A> command) {
        Decision<A> decision = org.handle(command, now);
        moves.addAll(decision.moves());
        return decision.answer();
    }

    public List<AdvanceResult.AnsweredPoll> advance() {
        AdvanceResult advance = org.advance(now);
        moves.addAll(advance.moves());
        return advance.answeredPolls();
    }

    /** Advances until nothing is due any more. */
    public void advanceAll() {
        do {
            advance();
        } while (org.nextWakeup() <= now);
    }

    /** Discards the memory and restores it from rows. */
    public void restart(OrganisationRows rows) {
        org = Organisation.restore(rows, plans::get, now);
    }

    public void restart() {
        restart(org.rows());
    }

    /** Lets time pass, and advances whenever something is due. */
    public void passTime(long micros) {
        long end = now + micros;
        while (org.nextWakeup() <= end) {
            now = Math.max(now, org.nextWakeup());
            advance();
        }
        now = end;
        advance();
    }

    public StartRun.Answer start(String run, Plan plan) {
        return start(run, plan, "{}");
    }

    public StartRun.Answer start(String run, Plan plan, String input) {
        StartRun.Answer answer = handle(StartRun.of(run, plan, json(input)));
        advance();
        return answer;
    }

    /** Sets the number of concurrent runs of the organisation; null clears it. */
    public void limitRuns(@Nullable Integer runs) {
        configure(new LimitId.OrgRuns(), FieldChange.replaceOrClear(runs), new FieldChange.Keep<>());
    }

    /** Changes the concurrent runs, and the ceiling on waiting runs, of a limit on runs. */
    public ConfigureRunLimits.Answer configure(
            LimitId.Runs limit, FieldChange<Integer> runs, FieldChange<Integer> queued) {
        var values = new ConfigureRunLimits.Values(
                runs,
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                queued,
                new FieldChange.Keep<>(),
                ConfigureRunLimits.Note.NONE,
                Moment.NEVER);
        return handle(new ConfigureRunLimits(limit, values, null));
    }

    /** Polls once for work of module {@code m}, without waiting. */
    public List<Assignment> poll(int limit) {
        return poll("m", limit);
    }

    public List<Assignment> poll(String module, int limit) {
        requests++;
        String request = "request-" + requests;
        var claim = new ClaimWork(request, "worker", List.of(new ClaimWork.ServedModule(module)), limit, LEASE);
        assertThat(handle(claim)).isEqualTo(new ClaimWork.Answer.Waiting());
        List<Assignment> assignments = new ArrayList<>();
        advance().forEach(served -> assignments.addAll(served.assignments()));
        handle(new EndPoll(request));
        return assignments;
    }

    /** Claims everything that can start without any report. */
    public List<Assignment> pollAll() {
        List<Assignment> all = new ArrayList<>();
        for (var some = poll(ClaimWork.CLAIMS_MAX); !some.isEmpty(); some = poll(ClaimWork.CLAIMS_MAX)) {
            all.addAll(some);
        }
        return all;
    }

    /** Claims what may start now, and returns the ids as text. */
    public List<String> pollIds(int limit) {
        return ids(poll(limit));
    }

    public static List<String> ids(List<Assignment> assignments) {
        return assignments.stream()
                .map(assignment -> assignment.claim().unit().toString())
                .toList();
    }

    public UpdateStep.Answer complete(Assignment assignment) {
        return complete(assignment, "null");
    }

    public UpdateStep.Answer complete(Assignment assignment, String output) {
        return update(assignment, new Update.Completed(json(output)));
    }

    public UpdateStep.Answer fail(Assignment assignment, String error) {
        return update(assignment, new Update.Failed(error, false));
    }

    public UpdateStep.Answer update(Assignment assignment, Update update) {
        var answer = handle(
                new UpdateStep(assignment.claim().unit(), assignment.claim().fence(), update));
        advance();
        return answer;
    }

    public Heartbeat.Answer heartbeat(Assignment assignment) {
        return handle(
                new Heartbeat(assignment.claim().unit(), assignment.claim().fence()));
    }

    public RunState state(String run) {
        return org.findRun(run).map(RunRow::state).or(() -> org.findEnded(run)).orElseThrow();
    }

    public StepState state(String run, String step) {
        return org.findStep(UnitId.of(run, step)).orElseThrow().state();
    }

    public StepState state(String run, String step, int item) {
        return org.findStep(new UnitId(run, step, item)).orElseThrow().state();
    }

    public static StepBuilder step(String id, String... needs) {
        return new StepBuilder(id, List.of(needs));
    }

    public static Plan plan(StepBuilder... steps) {
        return plan(RunLimits.NONE, steps);
    }

    public static Plan plan(RunLimits limits, StepBuilder... steps) {
        return plan(limits, WorkflowLimits.NONE, Workflow.Policy.DEFAULT, steps);
    }

    public static Plan plan(RunLimits limits, WorkflowLimits runs, Workflow.Policy policy, StepBuilder... steps) {
        return Plan.of(new Workflow(
                new Workflow.About("flow", null, null),
                limits,
                runs,
                List.of(),
                policy,
                List.of(),
                List.of(steps).stream().map(StepBuilder::build).toList()));
    }

    /** Registers a workflow that steps can invoke. */
    public Plan register(String name, WorkflowLimits limits, StepBuilder... steps) {
        Plan plan = Plan.of(new Workflow(
                new Workflow.About(name, null, null),
                RunLimits.NONE,
                limits,
                List.of(),
                Workflow.Policy.DEFAULT,
                List.of(),
                List.of(steps).stream().map(StepBuilder::build).toList()));
        plans.put(name, plan);
        return plan;
    }

    /** Returns a plan whose runs must have an input that fits the schema. */
    public static Plan planWithInputSchema(String schema, StepBuilder... steps) {
        return Plan.of(new Workflow(
                new Workflow.About("flow", null, JsonSchema.of(json(schema))),
                RunLimits.NONE,
                WorkflowLimits.NONE,
                List.of(),
                Workflow.Policy.DEFAULT,
                List.of(),
                List.of(steps).stream().map(StepBuilder::build).toList()));
    }

    public static RunLimits maxSteps(int max) {
        return new RunLimits(max, null, null, RunLimits.DEFAULT_TICK_INTERVAL);
    }

    /** Builds a step from the parts that a test names. */
    public static final class StepBuilder {
        private final String id;
        private final List<String> needs;
        private Action action = new Action.Uses("m", Template.emptyObject());
        private @Nullable Template condition;
        private @Nullable ApprovalGate gate;
        private @Nullable FanOut fanOut;
        private StepDemand demand = StepDemand.NONE;
        private RetryPolicy retry = RetryPolicy.DEFAULT;
        private Duration timeout = Step.Attempts.DEFAULT_TIMEOUT;
        private OnFailure onFailure = OnFailure.FAIL;
        private OnNeedsInput onNeedsInput = OnNeedsInput.KEEP;
        private List<DataPath> requires = List.of();
        private @Nullable JsonSchema outputSchema;
        private @Nullable Compensation compensation;
        private boolean optional;

        private StepBuilder(String id, List<String> needs) {
            this.id = id;
            this.needs = needs;
        }

        public StepBuilder with(String input) {
            action = new Action.Uses("m", Template.of(json(input)));
            return this;
        }

        public StepBuilder action(Action other) {
            action = other;
            return this;
        }

        public StepBuilder when(String expression) {
            condition = Template.of("${{ " + expression + " }}");
            return this;
        }

        public StepBuilder gate() {
            gate = new ApprovalGate(null);
            return this;
        }

        public StepBuilder items(String items, @Nullable Integer concurrency) {
            return items(items, concurrency, null, FailureTolerance.NONE);
        }

        public StepBuilder items(
                String items, @Nullable Integer concurrency, @Nullable Integer batch, FailureTolerance tolerance) {
            Template list = items.startsWith("[") ? Template.of(json(items)) : Template.of("${{ " + items + " }}");
            fanOut = new FanOut(list, concurrency, batch, tolerance);
            return this;
        }

        public StepBuilder demand(@Nullable Integer slots, @Nullable Boolean exclusive) {
            demand = new StepDemand(slots, exclusive, demand.flowControl(), demand.priority());
            return this;
        }

        public StepBuilder keys(FlowControl... controls) {
            demand = new StepDemand(demand.slots(), demand.exclusive(), List.of(controls), demand.priority());
            return this;
        }

        public StepBuilder retry(int attempts, Duration delay) {
            retry = new RetryPolicy(attempts, delay, RetryPolicy.Backoff.EXPONENTIAL, Duration.ofMinutes(1), 0, 2);
            return this;
        }

        public StepBuilder timeout(Duration value) {
            timeout = value;
            return this;
        }

        public StepBuilder onFailure(OnFailure value) {
            onFailure = value;
            return this;
        }

        public StepBuilder onNeedsInput(OnNeedsInput value) {
            onNeedsInput = value;
            return this;
        }

        public StepBuilder requires(String... paths) {
            requires = Stream.of(paths).map(DataPath::of).toList();
            return this;
        }

        public StepBuilder outputSchema(String schema) {
            outputSchema = JsonSchema.of(json(schema));
            return this;
        }

        /** Sets a compensation: module {@code m}, with one attempt. */
        public StepBuilder compensateWith(String input) {
            var once =
                    new RetryPolicy(1, Duration.ofSeconds(1), RetryPolicy.Backoff.FIXED, Duration.ofMinutes(1), 0, 2);
            var undo = new Action.Uses("m", Template.of(json(input)));
            compensation = new Compensation(undo, once, Step.Attempts.DEFAULT_TIMEOUT);
            return this;
        }

        public StepBuilder optional() {
            optional = true;
            return this;
        }

        public Step build() {
            return new Step(
                    id,
                    null,
                    new Preconditions(needs, requires, condition, gate),
                    action,
                    fanOut,
                    demand,
                    new Step.Attempts(retry, timeout),
                    new ResultRules(onFailure, onNeedsInput, outputSchema, compensation),
                    optional);
        }
    }
}
