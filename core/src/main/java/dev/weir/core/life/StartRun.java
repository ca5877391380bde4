package dev.weir.core.life;

import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.json.Fingerprint;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Starts a run, which is queued until the run limits admit it. A repeated request gets the first run.
 *
 * @param run the id, chosen by the caller
 * @param plan the definition with which the run is accepted, and which it keeps
 * @param options the unusual settings of the start
 * @param origin the runs and events that led to it
 * @param flowControl keys that its steps inherit instead of the workflow's; absent = the workflow's
 */
public record StartRun(
        String run,
        Plan plan,
        JsonNode input,
        int priority,
        @Nullable List<FlowControl> flowControl,
        SortedMap<String, String> labels,
        Options options,
        RunLineage origin)
        implements Command<StartRun.Answer> {
    /** The longest id of a run, in characters. */
    public static final int RUN_CHARS_MAX = 256;

    private static final long MINUTE = 60_000_000;
    /** The value in a fingerprint if the caller asked for no priority. */
    private static final long NOT_ASKED = Long.MIN_VALUE;

    public StartRun {
        if (run.isBlank()) {
            throw new IllegalArgumentException("a run needs an id, found none");
        }
        flowControl = flowControl == null ? null : List.copyOf(flowControl);
        labels = labels.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        if (priority < -TicketSpec.PRIORITY_MAX || priority > TicketSpec.PRIORITY_MAX) {
            throw new IllegalArgumentException("priority must be from -100 to 100, found " + priority);
        }
        if (options.priority() == null && priority != plan.workflow().policy().priority()) {
            options = options.asking(priority);
        }
    }

    public StartRun(
            String run,
            Plan plan,
            JsonNode input,
            int priority,
            @Nullable List<FlowControl> flowControl,
            SortedMap<String, String> labels) {
        this(run, plan, input, priority, flowControl, labels, Options.DEFAULT, RunLineage.NONE);
    }

    /**
     * Unusual settings of a start.
     *
     * @param delay the time before it queues for the run limits, in microseconds
     * @param targets the steps that are wanted; the steps that they need run too, all others are skipped. None = all
     *     steps
     * @param priority the priority that the caller asked for; absent = that of the workflow's version
     */
    public record Options(
            long delay, List<String> targets, @Nullable Integer priority) {
        public static final Options DEFAULT = new Options(0, List.of());

        public Options {
            if (delay < 0) {
                throw new IllegalArgumentException("a delay must not be negative, found " + delay + " µs");
            }
            targets = targets.stream().distinct().sorted().toList();
        }

        public Options(long delay, List<String> targets) {
            this(delay, targets, null);
        }

        public Options asking(@Nullable Integer asked) {
            return Objects.equals(priority, asked) ? this : new Options(delay, targets, asked);
        }

        private long in(long print) {
            long all = Fingerprint.with(print, delay);
            all = Fingerprint.with(all, priority == null ? NOT_ASKED : priority);
            all = Fingerprint.with(all, targets.size());
            for (String target : targets) {
                all = Fingerprint.with(all, target);
            }
            return all;
        }
    }

    public static StartRun of(String run, Plan plan, JsonNode input) {
        int priority = plan.workflow().policy().priority();
        return new StartRun(run, plan, input, priority, null, new TreeMap<>(Map.of()));
    }

    /** The answer to the caller. */
    public sealed interface Answer {
        /** The run was accepted. */
        record Accepted(RunState state) implements Answer {}

        /** The same run exists already. */
        record Existing(RunState state) implements Answer {}

        /** Another run has this id. */
        record OtherBody() implements Answer {}

        /** The {@code run_key} cannot be rendered, or a target is not a step. */
        record Refused(String reason) implements Answer {}

        /** The chain of runs and events that led to the run is too long. The run is not delayed: it never starts. */
        record CascadeDetected(int depth, int most) implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run known = org.runs.get(run);
        if (known != null) {
            return existing(known.request.fingerprint(), known.state);
        }
        var ended = org.ended.find(run);
        if (ended.isPresent()) {
            return existing(ended.get().body(), ended.get().state());
        }
        int most = plan.workflow().limits().maxCascadeDepth();
        if (origin.depth() > most) {
            return new Answer.CascadeDetected(origin.depth(), most);
        }
        for (String target : options.targets()) {
            if (plan.workflow().steps().stream().noneMatch(step -> step.id().equals(target))) {
                return new Answer.Refused(
                        "expected targets that are steps of " + plan.workflow().name() + ", found " + target);
            }
        }
        try {
            return new Answer.Accepted(org.lives.accept(this, ask(input, org.budget.counter), now).state);
        } catch (RenderFailed e) {
            return new Answer.Refused(String.valueOf(e.getMessage()));
        }
    }

    private Answer existing(int body, RunState state) {
        return Fingerprint.mayBeRepeat(body, fingerprint()) ? new Answer.Existing(state) : new Answer.OtherBody();
    }

    /**
     * Returns a number that tells a repeated start from another one, also after a restart, so it must not include
     * anything with an identity of its own. A newer workflow version does not change it, even if that version has
     * another priority.
     */
    public int fingerprint() {
        long print = Fingerprint.of(0);
        print = Fingerprint.with(print, plan.workflow().name());
        print = Fingerprint.with(print, input);
        print = withFlowControl(print);
        print = Fingerprint.with(print, labels.size());
        for (Map.Entry<String, String> label : labels.entrySet()) {
            print = Fingerprint.with(Fingerprint.with(print, label.getKey()), label.getValue());
        }
        return Fingerprint.folded(origin.in(options.in(print)));
    }

    private long withFlowControl(long print) {
        if (flowControl == null) {
            return Fingerprint.with(print, (String) null);
        }
        long all = Fingerprint.with(print, flowControl.size());
        for (FlowControl each : flowControl) {
            all = each.in(all);
        }
        return all;
    }

    /**
     * Returns the run's needs with that input. A run counts against each of the run limits, so that an operator can pin
     * any.
     */
    LimitNeeds ask(JsonNode given, UnitCounter counter) {
        WorkflowLimits limits = plan.workflow().limits();
        if (limits.maxConcurrentRuns() == null && limits.runsPerMinute() == null && limits.perKey() == null) {
            return plan.usualRunAsk(priority);
        }
        List<LimitNeed> needs = new ArrayList<>(2);
        needs.add(need(new LimitId.OrgRuns(), null, null));
        String workflow = plan.workflow().name();
        needs.add(need(new LimitId.WorkflowRuns(workflow), limits.maxConcurrentRuns(), limits.runsPerMinute()));
        WorkflowLimits.PerKey perKey = limits.perKey();
        if (perKey != null) {
            var key = new LimitId.RunKey(workflow, perKey.keyIn(StepExpressions.of(this, given, counter)));
            needs.add(need(key, perKey.maxConcurrentRuns(), perKey.runsPerMinute()));
        }
        return new LimitNeeds(BuiltInModule.RUNS, needs, 1, false, priority);
    }

    private static LimitNeed need(LimitId.Shared limit, @Nullable Integer most, @Nullable Integer perMinute) {
        int parallelism = most == null ? LimitNeed.UNLIMITED : most;
        return new LimitNeed(limit, parallelism, 1, perMinute == null ? null : Rate.sliding(perMinute, MINUTE), 1);
    }
}
