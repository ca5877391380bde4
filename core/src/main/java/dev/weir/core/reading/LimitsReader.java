package dev.weir.core.reading;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads limits of all kinds. */
final class LimitsReader {
    private LimitsReader() {}

    static RunLimits readRunLimits(FieldReader root) {
        FieldReader runtime = root.object("runtime");
        Integer maxParallel = runtime == null ? null : runtime.integer("max_parallel");
        Duration interval = runtime == null ? null : runtime.duration("tick_interval");
        Integer concurrent = root.integer("max_concurrent_steps");
        Integer perTick = root.integer("max_steps_per_tick");
        return root.buildOrReport(
                RunLimits.NONE,
                () -> new RunLimits(
                        concurrent,
                        perTick,
                        maxParallel,
                        interval == null ? RunLimits.DEFAULT_TICK_INTERVAL : interval));
    }

    static WorkflowLimits readWorkflowLimits(FieldReader root) {
        FieldReader limits = root.object("limits");
        if (limits == null) {
            return WorkflowLimits.NONE;
        }
        WorkflowLimits.PerKey perKey = readPerKey(limits);
        Integer runs = limits.integer("max_concurrent_runs");
        Integer perMinute = limits.integer("runs_per_minute");
        Integer depth = limits.integer("max_cascade_depth");
        return limits.buildOrReport(WorkflowLimits.NONE, () -> new WorkflowLimits(runs, perMinute, perKey, depth));
    }

    private static WorkflowLimits.@Nullable PerKey readPerKey(FieldReader limits) {
        Template key = limits.template("run_key");
        Integer runs = limits.integer("max_concurrent_runs_per_key");
        Integer perMinute = limits.integer("runs_per_minute_per_key");
        return key == null ? null : limits.buildOrReport(() -> new WorkflowLimits.PerKey(key, runs, perMinute));
    }

    /** Returns the keys, or null if the field is absent. In a step, absent and empty differ. */
    static @Nullable List<FlowControl> readFlowControl(FieldReader fields) {
        if (!fields.has("flow_control")) {
            return null;
        }
        return readEntries(fields.objects("flow_control"));
    }

    static List<FlowControl> readEntries(List<FieldReader> entries) {
        List<FlowControl> list = new ArrayList<>();
        for (FieldReader entry : entries) {
            FlowControl control = readEntry(entry);
            if (control != null) {
                list.add(control);
            }
        }
        return list;
    }

    private static @Nullable FlowControl readEntry(FieldReader entry) {
        Template key = entry.template("key");
        RateLimit rate = readRate(entry);
        Integer parallelism = entry.integer("parallelism");
        int weight = entry.integer("weight", 1);
        int cost = entry.integer("cost", 1);
        boolean hasInvalidLimit =
                (entry.has("rate") && rate == null) || (entry.has("parallelism") && parallelism == null);
        if (key == null || hasInvalidLimit) {
            return null;
        }
        return entry.buildOrReport(() -> new FlowControl(key, parallelism, rate, weight, cost));
    }

    private static @Nullable RateLimit readRate(FieldReader entry) {
        Integer count = entry.integer("rate");
        Duration period = entry.period("period");
        RateLimit.Window window = entry.choice("window", RateLimit.Window.SLIDING);
        return count == null
                ? null
                : entry.buildOrReport(
                        () -> new RateLimit(count, period == null ? RateLimit.DEFAULT_PERIOD : period, window));
    }
}
