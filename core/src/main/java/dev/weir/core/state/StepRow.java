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
 * @param lastOutcome the outcome of the last attempt
 * @param reported true if the newest claim ended with a report
 * @param reportFingerprint the fingerprint of that report; 0 if there is none
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
        @Nullable LimitNeeds limitNeeds,
        @Nullable RenderedTemplate input,
        @Nullable Update lastOutcome,
        boolean reported,
        int reportFingerprint,
        Detail detail) {
    /** The effect number of the first attempt. */
    public static final int FIRST_EFFECT = 1;
    /** The number of items of a step that is not fanned out. */
    public static final int NOT_FANNED_OUT = -1;

    public StepRow {
        reportFingerprint = reported ? reportFingerprint : 0;
    }

    /**
     * Rarely used fields of a step.
     *
     * @param approval the last decision about its gate
     * @param provided the input that a person gave to a step that needed input
     * @param child the run that it invoked and waits for
     * @param completionOrder the position among the run's completed steps that have a compensation, starting at 1; {@link
     *     #NO_ORDER} = none
     * @param dataProblem a description of what is missing or does not fit, while it waits for the correction
     * @param waits the waits so far; absent if it has never waited
     * @param skipping true while it is being skipped; it ends with the last of its items
     * @param retryFrom the first of its items that still gets another attempt if it failed; {@link #NO_RETRY} = none
     * @param signal the signal that it received
     * @param reporter the source of its last report; absent if there is none, or if this process made it
     * @param runNow true if an operator put it ahead of all others that wait
     */
    public record Detail(
            @Nullable Approval approval,
            @Nullable JsonNode provided,
            @Nullable String child,
            int completionOrder,
            @Nullable String dataProblem,
            @Nullable Waits waits,
            boolean skipping,
            int retryFrom,
            @Nullable ReceivedSignal signal,
            @Nullable Reporter reporter,
            boolean runNow) {
        public static final int NO_ORDER = 0;
        /** The value of {@code retryFrom} when no items get another attempt. */
        public static final int NO_RETRY = -1;

        public static final Detail DEFAULT =
                new Detail(null, null, null, NO_ORDER, null, null, false, NO_RETRY, null, null, false);

        public Detail withApproval(Approval decided) {
            return new Detail(
                    decided,
                    provided,
                    child,
                    completionOrder,
                    dataProblem,
                    waits,
                    skipping,
                    retryFrom,
                    signal,
                    reporter,
                    runNow);
        }

        public Detail withProvided(@Nullable JsonNode given) {
            return new Detail(
                    approval,
                    given,
                    child,
                    completionOrder,
                    dataProblem,
                    waits,
                    skipping,
                    retryFrom,
                    signal,
                    reporter,
                    runNow);
        }

        public Detail withChild(@Nullable String run) {
            return new Detail(
                    approval,
                    provided,
                    run,
                    completionOrder,
                    dataProblem,
                    waits,
                    skipping,
                    retryFrom,
                    signal,
                    reporter,
                    runNow);
        }

        public Detail withCompletionOrder(int newOrder) {
            return new Detail(
                    approval,
                    provided,
                    child,
                    newOrder,
                    dataProblem,
                    waits,
                    skipping,
                    retryFrom,
                    signal,
                    reporter,
                    runNow);
        }

        public Detail withSkipping(boolean on) {
            return new Detail(
                    approval,
                    provided,
                    child,
                    completionOrder,
                    dataProblem,
                    waits,
                    on,
                    retryFrom,
                    signal,
                    reporter,
                    runNow);
        }

        public Detail withRetryFrom(int from) {
            return new Detail(
                    approval,
                    provided,
                    child,
                    completionOrder,
                    dataProblem,
                    waits,
                    skipping,
                    from,
                    signal,
                    reporter,
                    runNow);
        }

        public Detail withSignal(ReceivedSignal received) {
            return new Detail(
                    approval,
                    provided,
                    child,
                    completionOrder,
                    dataProblem,
                    waits,
                    skipping,
                    retryFrom,
                    received,
                    reporter,
                    runNow);
        }

        public Detail withDataProblem(@Nullable String what) {
            return new Detail(
                    approval,
                    provided,
                    child,
                    completionOrder,
                    what,
                    waits,
                    skipping,
                    retryFrom,
                    signal,
                    reporter,
                    runNow);
        }

        /** Returns a copy with the source of the last report; null = this process made it. */
        public Detail withReporter(@Nullable Reporter newReporter) {
            return newReporter == null && reporter == null
                    ? this
                    : new Detail(
                            approval,
                            provided,
                            child,
                            completionOrder,
                            dataProblem,
                            waits,
                            skipping,
                            retryFrom,
                            signal,
                            newReporter,
                            runNow);
        }

        public Detail withRunNow() {
            return new Detail(
                    approval,
                    provided,
                    child,
                    completionOrder,
                    dataProblem,
                    waits,
                    skipping,
                    retryFrom,
                    signal,
                    reporter,
                    true);
        }

        /** The finished waits, without the present one. */
        public List<WaitEntry> waited() {
            return waits == null ? List.of() : waits.waited();
        }

        /** True if the waits are the only field that is set. */
        public boolean hasOnlyWaits() {
            return waits != null && withWaits(null).equals(DEFAULT);
        }

        public Detail withWaits(@Nullable Waits newWaits) {
            return newWaits == null && waits == null
                    ? this
                    : new Detail(
                            approval,
                            provided,
                            child,
                            completionOrder,
                            dataProblem,
                            newWaits,
                            skipping,
                            retryFrom,
                            signal,
                            reporter,
                            runNow);
        }
    }

    /**
     * The source of a report.
     *
     * @param actor the name of the API token that sent it
     * @param worker the name that the worker gave when it claimed
     */
    public record Reporter(String actor, String worker) {}

    /**
     * The signal that a step received.
     *
     * @param id the sender's id for deduplication, if any
     * @param sentBy the actor that sent it; absent if it is not known
     */
    public record ReceivedSignal(
            @Nullable String id, @Nullable String sentBy) {}

    /**
     * The waits of a step or item.
     *
     * @param currentSince the time from which the present wait counts; 0 if it has ended
     * @param waited the finished waits, by cause
     */
    public record Waits(long currentSince, List<WaitEntry> waited) {
        public Waits {
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
        public boolean isSameDecision(boolean yes, String who, @Nullable String what) {
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
                limitNeeds,
                input,
                lastOutcome,
                reported,
                reportFingerprint,
                other);
    }

    /** Returns a copy with another input and another last outcome. */
    StepRow with(@Nullable RenderedTemplate otherInput, @Nullable Update otherOutcome) {
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
                limitNeeds,
                otherInput,
                otherOutcome,
                reported,
                reportFingerprint,
                detail);
    }

    /** Returns a copy for another unit. */
    public StepRow withId(UnitId other) {
        return new StepRow(
                other,
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
                limitNeeds,
                input,
                lastOutcome,
                reported,
                reportFingerprint,
                detail);
    }

    /** Returns a copy with another number of items. */
    public StepRow withItems(int count) {
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
                count,
                waitsFor,
                limitNeeds,
                input,
                lastOutcome,
                reported,
                reportFingerprint,
                detail);
    }
}
