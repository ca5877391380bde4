package dev.weir.core.state;

import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.plan.LimitNeeds;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The stored form of a step or item. A step that is still blocked has no row.
 *
 * @param fence the fence of the newest claim; 0 before the first
 * @param since the time from which its age counts
 * @param due the time at which it continues by itself
 * @param attempts the number of attempts that count against its retries
 * @param expiries the number of claims that ended because nobody extended them
 * @param reschedules the number of times that its workers put it off
 * @param effect the effect number, which stays the same while the outcome of the last attempt is unknown
 * @param items the number of items; negative if it is not fanned out
 * @param last the outcome of the last attempt
 * @param reported true if the newest claim ended with a report
 * @param report the fingerprint of that report; 0 if there is none
 * @param detail the rarely used fields
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
        int effect,
        int items,
        @Nullable AwaitedEvent waitsFor,
        @Nullable LimitNeeds ask,
        @Nullable RenderedTemplate input,
        @Nullable Update last,
        boolean reported,
        int report,
        Detail detail) {
    /** The effect number of the first attempt. */
    public static final int FIRST_EFFECT = 1;
    /** The number of items of a step that is not fanned out. */
    public static final int NOT_FANNED_OUT = -1;

    public StepRow {
        report = reported ? report : 0;
    }

    /**
     * Rarely used fields of a step.
     *
     * @param approval the last decision about its gate
     * @param provided the input that a person gave to a step that needed input
     * @param child the run that it invoked and waits for
     * @param order the position among the run's completed steps that have a compensation, starting at 1; {@link
     *     #NO_ORDER} = none
     * @param lacks a description of what is missing or does not fit, while it waits for the correction
     * @param spent the waits so far; absent if it has never waited
     * @param skipping true while it is being skipped; it ends with the last of its items
     * @param again the first of its items that still gets another attempt if it failed; {@link #NOT_AGAIN} = none
     * @param signal the id of the signal that it received; absent if it received none, or one without an id
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
        /** The value of {@code again} when no items get another attempt. */
        public static final int NOT_AGAIN = -1;

        public static final Detail DEFAULT = new Detail(null, null, null, NO_ORDER, null, null, false, NOT_AGAIN, null);

        public Detail approved(Approval decided) {
            return new Detail(decided, provided, child, order, lacks, spent, skipping, again, signal);
        }

        public Detail provided(@Nullable JsonNode given) {
            return new Detail(approval, given, child, order, lacks, spent, skipping, again, signal);
        }

        public Detail invoked(@Nullable String run) {
            return new Detail(approval, provided, run, order, lacks, spent, skipping, again, signal);
        }

        public Detail completedAs(int place) {
            return new Detail(approval, provided, child, place, lacks, spent, skipping, again, signal);
        }

        public Detail skipping(boolean on) {
            return new Detail(approval, provided, child, order, lacks, spent, on, again, signal);
        }

        public Detail again(int from) {
            return new Detail(approval, provided, child, order, lacks, spent, skipping, from, signal);
        }

        public Detail signalled(@Nullable String by) {
            return new Detail(approval, provided, child, order, lacks, spent, skipping, again, by);
        }

        public Detail lacking(@Nullable String what) {
            return new Detail(approval, provided, child, order, what, spent, skipping, again, signal);
        }

        /** The finished waits, without the present one. */
        public List<WaitEntry> waited() {
            return spent == null ? List.of() : spent.waited();
        }

        /** True if the waits are the only field that is set. */
        public boolean hasOnlySpent() {
            return spent != null && spent(null).equals(DEFAULT);
        }

        public Detail spent(@Nullable Spent noted) {
            return noted == null && spent == null
                    ? this
                    : new Detail(approval, provided, child, order, lacks, noted, skipping, again, signal);
        }
    }

    /**
     * The waits of a step or item.
     *
     * @param at the time from which the present wait counts; 0 if it has ended
     * @param waited the finished waits, by cause
     */
    public record Spent(long at, List<WaitEntry> waited) {
        public Spent {
            waited = List.copyOf(waited);
        }
    }

    /**
     * A person's decision about a gate.
     *
     * @param approved true if the step may continue; false if an approval was revoked
     * @param by the person who decided
     * @param note the person's comment
     */
    public record Approval(
            boolean approved, String by, @Nullable String note, long at) {
        /** True if this is the same decision, by the same person with the same note. */
        public boolean says(boolean yes, String who, @Nullable String what) {
            return approved == yes && by.equals(who) && Objects.equals(note, what);
        }
    }

    /** Returns a copy with another detail. */
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
                effect,
                items,
                waitsFor,
                ask,
                input,
                last,
                reported,
                report,
                other);
    }

    /** Returns a copy with another input and another last outcome. */
    StepRow with(@Nullable RenderedTemplate otherInput, @Nullable Update otherLast) {
        return new StepRow(
                id,
                state,
                fence,
                since,
                due,
                attempts,
                expiries,
                reschedules,
                effect,
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
