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
    int report;

    @Nullable
    Ticket ticket;

    @Nullable
    LiveClaim lease;

    @Nullable
    LimitNeeds ask;

    @Nullable
    RenderedTemplate input;

    /** Rarely used fields. */
    StepRow.Detail detail = StepRow.Detail.DEFAULT;

    /** The outcome of the last attempt. */
    @Nullable
    Update last;

    Unit(StepState state) {
        this.state = state;
    }

    abstract RunStep step();

    /** The state in which the unit waits for its limits. */
    abstract StepState asking();

    abstract StepRow row();

    final Run run() {
        return step().run;
    }

    final UnitId id() {
        return new UnitId(run().id(), step().planned.id(), item());
    }

    @Override
    final long tie() {
        return Run.tie(run().number(), step().planned.index());
    }

    final Ticket.Entry entry() {
        return new Ticket.Entry(this, step().since, tie(), Math.max(0, item()));
    }

    final LimitNeeds ask() {
        if (ask == null) {
            throw new IllegalStateException("expected what " + id() + " asks of its limits, found nothing");
        }
        return ask;
    }

    @Override
    public final boolean holds(Allocation holding) {
        return lease != null && lease.holding == holding;
    }

    @Override
    public final int load() {
        int load = 0;
        if (input != null) {
            load = JsonLength.of(input.value());
            for (RenderedTemplate.Late late : input.late()) {
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
