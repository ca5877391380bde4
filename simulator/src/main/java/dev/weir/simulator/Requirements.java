package dev.weir.simulator;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.Requirement.Share;
import dev.weir.simulator.Requirement.StartRate;
import dev.weir.simulator.TraceState.RunFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Derives the needs of steps and runs from their definitions alone. It uses neither the engine's records nor its rules,
 * so that both cannot be wrong in the same way. Workers of the simulation register no module defaults, and keys contain
 * only {@code item} and {@code input.key}.
 */
final class Requirements {
    private static final String ITEM = "${{ item }}";
    private static final String INPUT_KEY = "${{ input.key }}";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Requirements() {}

    static Requirement ofStep(RunFacts run, UnitId unit) {
        Step step = run.step(unit);
        List<FlowControl> own = step.demand().flowControl();
        List<FlowControl> inherited = run.flowControl == null ? run.workflow.flowControl() : run.flowControl;
        List<Share> shares = shares(own == null ? inherited : own, run.input, item(step, unit));
        Integer slots = step.demand().slots();
        boolean exclusive = Boolean.TRUE.equals(step.demand().exclusive());
        return new Requirement(module(step.action()), shares, slots == null ? 1 : slots, exclusive);
    }

    private static List<Share> shares(List<FlowControl> controls, JsonNode input, @Nullable JsonNode item) {
        List<Share> shares = new ArrayList<>();
        for (FlowControl control : controls) {
            shares.add(new Share(
                    "key:" + key(control.key(), input, item),
                    orUnlimited(control.parallelism()),
                    control.weight(),
                    control.rate() == null ? null : startRate(control.rate()),
                    control.cost()));
        }
        return shares;
    }

    /** Returns the keys that a run inherits from the step that invokes it; null if its workflow's apply. */
    static @Nullable List<Share> ofInvokedRun(RunFacts parent, UnitId invokedBy) {
        Step step = parent.step(invokedBy);
        return step.action() instanceof Action.Invoke invoke && invoke.flowControl() != null
                ? shares(invoke.flowControl(), parent.input, item(step, invokedBy))
                : null;
    }

    /** Returns the keys that the request of a run replaces those of its workflow by; null if it does not. */
    static @Nullable List<Share> ofRequest(RunRequest request) {
        return request.flowControl() == null ? null : shares(request.flowControl(), request.input(), null);
    }

    /**
     * Returns the needs of a run. It takes nothing from the limits in which it uses the place of the run that invoked
     * it.
     */
    static Requirement ofRun(RunFacts run, Set<String> borrowedLimits) {
        WorkflowLimits limits = run.workflow.limits();
        String name = run.workflow.name();
        List<Share> shares = new ArrayList<>();
        shares.add(share("org_runs", null, null));
        shares.add(share("workflow_runs:" + name, limits.maxConcurrentRuns(), limits.runsPerMinute()));
        WorkflowLimits.PerKey perKey = limits.perKey();
        if (perKey != null) {
            String key = name.length() + ":" + name + ":" + key(perKey.runKey(), run.input, null);
            shares.add(share("run_key:" + key, perKey.maxConcurrentRuns(), perKey.runsPerMinute()));
        }
        shares.replaceAll(share -> borrowedLimits.contains(share.limit()) ? share.asBorrowed() : share);
        return new Requirement("weir.runs", shares, 1, false);
    }

    private static Share share(String limit, @Nullable Integer max, @Nullable Integer perMinute) {
        StartRate startRate = perMinute == null ? null : new StartRate(perMinute, micros(MINUTE), false);
        return new Share(limit, orUnlimited(max), 1, startRate, 1);
    }

    private static int orUnlimited(@Nullable Integer max) {
        return max == null ? Requirement.UNLIMITED : max;
    }

    private static StartRate startRate(RateLimit rate) {
        return new StartRate(rate.count(), micros(rate.period()), rate.window() == RateLimit.Window.FIXED);
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static String module(Action action) {
        return switch (action) {
            case Action.Uses uses -> uses.module();
            case Action.Call ignored -> "weir.call";
            case Action.TriggeredCall ignored -> "weir.call";
            case Action.Invoke ignored -> "weir.invoke";
            case Action.Emit ignored -> "weir.emit";
            case Action.WaitFor ignored -> "";
            case Action.Sleep ignored -> "";
            case Action.GateOnly ignored -> "";
        };
    }

    /** The item of a unit, or a list of items if the unit is a batch; null for a step without items. */
    private static @Nullable JsonNode item(Step step, UnitId unit) {
        FanOut fanOut = step.fanOut();
        if (fanOut == null || unit.item() == UnitId.NO_ITEM) {
            return null;
        }
        JsonNode all = fanOut.items().source();
        Integer batchSize = fanOut.batchSize();
        if (batchSize == null) {
            return all.get(unit.item());
        }
        var batch = JsonNodeFactory.instance.arrayNode();
        int end = Math.min(all.size(), (unit.item() + 1) * batchSize);
        for (int i = unit.item() * batchSize; i < end; i++) {
            batch.add(all.get(i));
        }
        return batch;
    }

    private static String key(Template template, JsonNode input, @Nullable JsonNode item) {
        String text = RandomScenario.withoutCost(template.source().stringValue());
        String key = item == null ? text : text.replace(ITEM, item.toString());
        key = key.replace(INPUT_KEY, input.path("key").asString(""));
        if (key.contains("${{")) {
            throw new IllegalStateException("expected a key of input.key and item only, found " + text);
        }
        return key;
    }
}
