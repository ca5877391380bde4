package dev.weir.simulator;

import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.core.state.WorkflowAvailability;
import dev.weir.simulator.Requirement.StartRate;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values that operators have set, according to the trace. */
final class OperatorValues {
    private OperatorValues() {}

    /**
     * The value of one field: the temporary value until it ends, then the lasting one.
     *
     * @param until the end of the temporary value, if there is one
     */
    record Value<T>(@Nullable T lasting, @Nullable T temporary, long until) {
        /** The value in force; null if the value of the definition applies. */
        @Nullable
        T at(long now) {
            return temporary != null && now < until ? temporary : lasting;
        }

        private <U> Value<U> map(Function<T, U> to) {
            return new Value<>(
                    lasting == null ? null : to.apply(lasting), temporary == null ? null : to.apply(temporary), until);
        }
    }

    /** The values of a shared limit. */
    record Pinned(Value<Integer> parallelism, Value<StartRate> startRate) {
        boolean isExpired(long now) {
            return parallelism.at(now) == null && startRate.at(now) == null;
        }
    }

    /** The values of a run's own limits. */
    record Overridden(Value<Integer> maxSteps, Value<Integer> maxSlots) {}

    static Pinned pinned(Move.KeyPinned move) {
        var parallelism = move.pin().parallelism();
        var rate = move.pin().rate();
        return new Pinned(
                new Value<>(parallelism.lasting(), parallelism.temporary(), parallelism.until()),
                new Value<>(rate.lasting(), rate.temporary(), rate.until())
                        .map(pinned -> new StartRate(
                                pinned.count(),
                                pinned.period(),
                                pinned.window().name().equals("FIXED"))));
    }

    /** Stands for the whole organisation among the pauses of limits. */
    static final String SUSPENSION = "suspension";

    /** Notes that the organisation, or the limit on the runs of a workflow, is stopped or goes on. */
    static void stop(Map<String, Long> pauses, Move.OfStops move) {
        boolean stops = switch (move) {
            case Move.SuspensionChanged changed -> changed.suspension() != null;
            case Move.AvailabilityChanged changed -> changed.availability() == WorkflowAvailability.PAUSED;
        };
        String limit =
                move instanceof Move.AvailabilityChanged other ? "workflow_runs:" + other.workflow() : SUSPENSION;
        if (stops) {
            pauses.put(limit, Long.MAX_VALUE);
        } else {
            pauses.remove(limit);
        }
    }

    /** The values that operators have set for all run keys of a workflow have this name, and the workflow's. */
    static final String RUN_KEYS = "run_keys:";

    /** The beginning of the id of a run key, with the length of the workflow's name that follows. */
    private static final Pattern RUN_KEY = Pattern.compile("run_key:([0-9]+):");

    /** Stores the limits that an operator has set for the runs of the organisation or of a workflow. */
    static void configure(Map<String, Pinned> pins, Move.RunLimitsConfigured move) {
        var runs = move.config().maxConcurrentRuns();
        var perKey = move.config().maxConcurrentRunsPerKey();
        Value<StartRate> noRate = new Value<>(null, null, 0);
        pins.put(move.limit().text(), new Pinned(new Value<>(runs.lasting(), runs.temporary(), runs.until()), noRate));
        if (move.limit() instanceof LimitId.WorkflowRuns workflow) {
            pins.put(
                    RUN_KEYS + workflow.workflow(),
                    new Pinned(new Value<>(perKey.lasting(), perKey.temporary(), perKey.until()), noRate));
        }
    }

    /** Finds the values of a limit; those of a run key apply to all run keys of its workflow. */
    static @Nullable Pinned find(Map<String, Pinned> pins, String limit) {
        Matcher runKey = RUN_KEY.matcher(limit);
        if (!runKey.lookingAt()) {
            return pins.get(limit);
        }
        int end = runKey.end() + Integer.parseInt(runKey.group(1));
        return pins.get(RUN_KEYS + limit.substring(runKey.end(), end));
    }

    /** Returns the values that the operator has set; null if the operator has removed them. */
    static @Nullable Overridden overridden(Move.RunOverridden move) {
        var values = move.overrides();
        if (values == null) {
            return null;
        }
        var steps = values.maxSteps();
        var slots = values.maxSlots();
        return new Overridden(
                new Value<>(steps.lasting(), steps.temporary(), steps.until()),
                new Value<>(slots.lasting(), slots.temporary(), slots.until()));
    }
}
