package dev.weir.core.life;

import dev.weir.core.expression.Rendered;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A step or item as it is kept. A step that is still blocked has no row.
 *
 * @param fence the newest claim's; 0 before the first
 * @param since from when its age counts
 * @param due when it goes on by itself
 * @param attempts tries that count against its retries
 * @param expiries claims that ended because nobody extended them
 * @param reschedules how often its workers have put it off
 * @param items how many items it has; negative if it is not fanned out
 * @param last how the last try ended
 * @param reported whether the newest claim ended with a report
 * @param report the fingerprint of that report; 0 if there is none
 * @param detail what few steps have
 */
public record StepRow(
        UnitId id,
        StepState state,
        long fence,
        long since,
        long due,
        int attempts,
        int expiries,
        int reschedules,
        int items,
        @Nullable WaitsFor waitsFor,
        @Nullable Ask ask,
        @Nullable Rendered input,
        @Nullable Update last,
        boolean reported,
        int report,
        Detail detail) {
    /** The number of items of what is not fanned out. */
    public static final int NOT_FANNED_OUT = -1;

    public StepRow {
        report = reported ? report : 0;
    }

    /**
     * What few steps have.
     *
     * @param approval what was last decided about its gate
     * @param provided what a person has given to a step that needed input
     * @param child the run that it has invoked and waits for
     * @param order the how many-th of the completed steps of its run that can be undone it is; {@link #NO_ORDER} = none
     * @param lacks what is missing or does not fit, in words, while it waits for that to be mended
     * @param spent what it has waited for; absent if it has started at once so far
     * @param skipping whether it is being skipped, and ends with the last of its items
     * @param again the first of its items that, if it failed, is still to be tried again; {@link #NOT_AGAIN} = none
     */
    public record Detail(
            @Nullable Approval approval,
            @Nullable JsonNode provided,
            @Nullable String child,
            int order,
            @Nullable String lacks,
            @Nullable Spent spent,
            boolean skipping,
            int again) {
        public static final int NO_ORDER = 0;
        /** Nothing is being tried again. */
        public static final int NOT_AGAIN = -1;

        public static final Detail DEFAULT = new Detail(null, null, null, NO_ORDER, null, null, false, NOT_AGAIN);

        Detail approved(Approval decided) {
            return new Detail(decided, provided, child, order, lacks, spent, skipping, again);
        }

        Detail provided(@Nullable JsonNode given) {
            return new Detail(approval, given, child, order, lacks, spent, skipping, again);
        }

        Detail invoked(@Nullable String run) {
            return new Detail(approval, provided, run, order, lacks, spent, skipping, again);
        }

        Detail completedAs(int place) {
            return new Detail(approval, provided, child, place, lacks, spent, skipping, again);
        }

        Detail skipping(boolean on) {
            return new Detail(approval, provided, child, order, lacks, spent, on, again);
        }

        Detail again(int from) {
            return new Detail(approval, provided, child, order, lacks, spent, skipping, from);
        }

        Detail lacking(@Nullable String what) {
            return new Detail(approval, provided, child, order, what, spent, skipping, again);
        }

        /** What it has waited for, save its present wait. */
        public List<Waited> waited() {
            return spent == null ? List.of() : spent.waited();
        }

        Detail spent(@Nullable Spent noted) {
            return noted == null && spent == null
                    ? this
                    : new Detail(approval, provided, child, order, lacks, noted, skipping, again);
        }
    }

    /**
     * What a step or item has waited for.
     *
     * @param at from when on the present wait counts; 0 if it has ended
     * @param waited what earlier waits are put down to
     */
    public record Spent(long at, List<Waited> waited) {
        public Spent {
            waited = List.copyOf(waited);
        }
    }

    /**
     * What a person has decided about a gate.
     *
     * @param approved whether the step may go on; if not, an approval was revoked
     * @param by who
     * @param note what that person has said to it
     */
    public record Approval(
            boolean approved, String by, @Nullable String note, long at) {}

    /** Claimed under a fence, as its claim would say. */
    StepRow running(long under) {
        return new StepRow(
                id,
                StepState.RUNNING,
                under,
                since,
                due,
                attempts + 1,
                expiries,
                reschedules,
                items,
                waitsFor,
                ask,
                input,
                last,
                false,
                0,
                detail);
    }

    /** The same with what few steps have. */
    public StepRow with(Detail other) {
        return new StepRow(
                id,
                state,
                fence,
                since,
                due,
                attempts,
                expiries,
                reschedules,
                items,
                waitsFor,
                ask,
                input,
                last,
                reported,
                report,
                other);
    }

    /** The same with another input and last try. */
    StepRow with(@Nullable Rendered otherInput, @Nullable Update otherLast) {
        return new StepRow(
                id,
                state,
                fence,
                since,
                due,
                attempts,
                expiries,
                reschedules,
                items,
                waitsFor,
                ask,
                otherInput,
                otherLast,
                reported,
                report,
                detail);
    }
}
