package dev.weir.server.view;

import dev.weir.api.WhatIf.HoldingLimit;
import dev.weir.api.WhatIf.Prediction;
import dev.weir.api.WhatIf.Target;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.forecast.BacklogScenario;
import dev.weir.forecast.BacklogScenario.Cause;
import dev.weir.forecast.BacklogScenario.End;
import dev.weir.forecast.BacklogScenario.HeldBy;
import dev.weir.forecast.BacklogScenario.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts predictions to the wire format. */
public final class WhatIfViews {
    private static final double MICROS_PER_SECOND = 1_000_000;
    private static final double SHARE_DIGITS = 1_000;

    private WhatIfViews() {}

    /** Returns a prediction; {@code changed} is the limit that is left out as the next one. */
    public static Prediction prediction(BacklogScenario.Prediction found, LimitId.@Nullable Shared changed) {
        List<HoldingLimit> heldBy =
                found.heldBy().stream().map(WhatIfViews::holdingLimit).toList();
        HoldingLimit next = found.heldBy().stream()
                .filter(held ->
                        !(held.cause() instanceof Cause.OfLimit of && of.limit().equals(changed)))
                .findFirst()
                .map(WhatIfViews::holdingLimit)
                .orElse(null);
        Long wait = found.longestWait();
        return new Prediction(
                WireWords.of(found.end()),
                found.end() == End.DRAINED ? Moment.toInstant(found.until()) : null,
                Moment.toInstant(found.until()),
                wait == null ? null : (Double) (wait.doubleValue() / MICROS_PER_SECOND),
                found.waiting(),
                target(found.target()),
                next,
                heldBy);
    }

    private static @Nullable Target target(BacklogScenario.@Nullable Target found) {
        if (found == null) {
            return null;
        }
        Long emptyAt = found.emptyAt();
        return new Target(found.waiting(), emptyAt == null ? null : WireWords.at(emptyAt));
    }

    private static HoldingLimit holdingLimit(HeldBy held) {
        double share = Math.rint(held.share() * SHARE_DIGITS) / SHARE_DIGITS;
        return switch (held.cause()) {
            case Cause.OfRun ignored ->
                new HoldingLimit("run", "capacity", null, null, "the limits within the runs", share);
            case Cause.OfPause ignored -> new HoldingLimit("run", "paused", null, null, "paused runs", share);
            case Cause.OfWorkers ignored -> new HoldingLimit("worker", "no_worker", null, null, "a free worker", share);
            case Cause.OfLimit of ->
                switch (of.limit()) {
                    case LimitId.Key key ->
                        new HoldingLimit(
                                "key",
                                WireWords.of(of.kind()),
                                key.name(),
                                null,
                                "key " + key.name() + valueOf(of.kind(), "'s parallelism", "'s rate"),
                                share);
                    case LimitId.WorkflowRuns runs ->
                        new HoldingLimit(
                                "workflow_runs",
                                WireWords.of(of.kind()),
                                null,
                                runs.workflow(),
                                valueOf(of.kind(), "concurrent runs", "runs per minute") + " of workflow "
                                        + runs.workflow(),
                                share);
                    case LimitId.RunKey key ->
                        new HoldingLimit(
                                "run_key",
                                WireWords.of(of.kind()),
                                key.key(),
                                key.workflow(),
                                valueOf(of.kind(), "concurrent runs", "runs per minute") + " of run key " + key.key(),
                                share);
                    case LimitId.OrgRuns ignored ->
                        new HoldingLimit(
                                "org_runs",
                                WireWords.of(of.kind()),
                                null,
                                null,
                                valueOf(of.kind(), "concurrent runs", "runs per minute") + " of the organisation",
                                share);
                };
        };
    }

    private static String valueOf(Kind kind, String capacity, String rate) {
        return switch (kind) {
            case CAPACITY -> capacity;
            case RATE -> rate;
            case PAUSED -> capacity.startsWith("'s") ? ", which is paused" : "paused runs";
            case OVER_CAPACITY -> capacity.startsWith("'s") ? ", which is too small" : capacity + " (too few)";
        };
    }
}
