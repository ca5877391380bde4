package dev.weir.core.life;

import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.expression.Rendered;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is claimed and reported as one: a step of a run, or one item of it. */
abstract sealed class Unit extends Timer implements Subject permits RunStep, Item {
    StepState state;
    /** The newest claim's. */
    long fence;

    int attempts;
    int expiries;
    int reschedules;
    /** Whether the newest claim ended with a report. */
    boolean reported;
    /** The fingerprint of that report. */
    int report;

    @Nullable
    Ticket ticket;

    @Nullable
    Lease lease;

    @Nullable
    Ask ask;

    @Nullable
    Rendered input;

    /** What few have. */
    StepRow.Detail detail = StepRow.Detail.DEFAULT;

    /** How the last try ended. */
    @Nullable
    Update last;

    Unit(StepState state) {
        this.state = state;
    }

    abstract RunStep step();

    /** The state in which it waits for its limits. */
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
        return Run.tie(run().number(), step().planned.index);
    }

    final Ticket.Entry entry() {
        return new Ticket.Entry(this, step().since, tie(), Math.max(0, item()));
    }

    final Ask ask() {
        if (ask == null) {
            throw new IllegalStateException("expected what " + id() + " asks of its limits, found nothing");
        }
        return ask;
    }

    @Override
    public final int load() {
        int load = 0;
        if (input != null) {
            load = JsonLength.of(input.value());
            for (Rendered.Late late : input.late()) {
                for (Rendered.Part part : late.parts()) {
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
