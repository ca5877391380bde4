package dev.weir.core.life;

import dev.weir.core.expression.Rendered;
import java.util.List;
import java.util.Objects;
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
     * @param signal the id of the signal that it got; absent if it got none, or one without an id
     */
    public record Detail(
            @Nullable Approval approval,
            @Nullable JsonNode provided,
            @Nullable String child,
            int order,
            @Nullable String lacks,
            @Nullable Spent spent,
            boolean skipping,
            int again,
            @Nullable String signal) {
        public static final int NO_ORDER = 0;
        /** Nothing is being tried again. */
        public static final int NOT_AGAIN = -1;

        public static final Detail DEFAULT = new Detail(null, null, null, NO_ORDER, null, null, false, NOT_AGAIN, null);

        Detail approved(Approval decided) {
            return new Detail(decided, provided, child, order, lacks, spent, skipping, again, signal);
        }

        Detail provided(@Nullable JsonNode given) {
            return new Detail(approval, given, child, order, lacks, spent, skipping, again, signal);
        }

        Detail invoked(@Nullable String run) {
            return new Detail(approval, provided, run, order, lacks, spent, skipping, again, signal);
        }

        Detail completedAs(int place) {
            return new Detail(approval, provided, child, place, lacks, spent, skipping, again, signal);
        }

        Detail skipping(boolean on) {
            return new Detail(approval, provided, child, order, lacks, spent, on, again, signal);
        }

        Detail again(int from) {
            return new Detail(approval, provided, child, order, lacks, spent, skipping, from, signal);
        }

        Detail signalled(@Nullable String by) {
            return new Detail(approval, provided, child, order, lacks, spent, skipping, again, by);
        }

        Detail lacking(@Nullable String what) {
            return new Detail(approval, provided, child, order, what, spent, skipping, again, signal);
        }

        /** What it has waited for, save its present wait. */
        public List<Waited> waited() {
            return spent == null ? List.of() : spent.waited();
        }

        /** Whether there is nothing else of it. */
        public boolean hasOnlySpent() {
            return spent != null && spent(null).equals(DEFAULT);
        }

        Detail spent(@Nullable Spent noted) {
            return noted == null && spent == null
                    ? this
                    : new Detail(approval, provided, child, order, lacks, noted, skipping, again, signal);
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
            boolean approved, String by, @Nullable String note, long at) {
        /** Whether this is what a person has to say who decides so. */
        public boolean says(boolean yes, String who, @Nullable String what) {
            return approved == yes && by.equals(who) && Objects.equals(note, what);
        }
    }

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
