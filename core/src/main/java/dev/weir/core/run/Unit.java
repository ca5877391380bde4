package dev.weir.core.run;

import dev.weir.core.admission.Allocation;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.json.JsonLength;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A step of a run, or one item of it: what a worker claims and reports as one. */
abstract sealed class Unit extends Timer implements Subject permits RunStep, Item {
    StepState state;
    /** The fence of the newest claim. */
    long fence;

    int attempts;
    int expiries;
    int reschedules;
    /** The effect number of the newest claim, or of the next one. */
    int effect = StepRow.FIRST_EFFECT;

    /** True if the newest claim ended with a report. */
    boolean reported;
    /** The fingerprint of that report. */
    int reportFingerprint;

    @Nullable
    Ticket ticket;

    @Nullable
    LiveClaim liveClaim;

    @Nullable
    LimitNeeds limitNeeds;

    @Nullable
    RenderedTemplate input;

    /** Rarely used fields. */
    StepRow.Detail detail = StepRow.Detail.DEFAULT;

    /** The outcome of the last attempt. */
    @Nullable
    Update lastOutcome;

    Unit(StepState state) {
        this.state = state;
    }

    abstract RunStep step();

    /** The state in which the unit waits for its limits. */
    abstract StepState queuedState();

    abstract StepRow row();

    final Run run() {
        return step().run;
    }

    final UnitId id() {
        return new UnitId(run().id(), step().planned.id(), item());
    }

    @Override
    final long tieBreaker() {
        return Run.tieBreaker(run().number(), step().planned.index());
    }

    final Ticket.Entry entry() {
        return new Ticket.Entry(this, step().since, tieBreaker(), Math.max(0, item()));
    }

    final LimitNeeds limitNeeds() {
        if (limitNeeds == null) {
            throw new IllegalStateException("expected the limit needs of " + id() + ", found none");
        }
        return limitNeeds;
    }

    @Override
    public final boolean isLive(Allocation allocation) {
        return liveClaim != null && liveClaim.allocation == allocation;
    }

    @Override
    public final int responseSize() {
        int load = 0;
        if (input != null) {
            load = JsonLength.of(input.value());
            for (RenderedTemplate.SecretText late : input.secretTexts()) {
                for (RenderedTemplate.Part part : late.parts()) {
                    load += part.text().length();
                }
            }
        }
        JsonNode provided = detail.provided();
        return provided == null ? load : load + JsonLength.of(provided);
    }

    @Override
    public final String toString() {
        return id().toString();
    }
}
