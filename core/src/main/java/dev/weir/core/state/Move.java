package dev.weir.core.state;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.LimitNeeds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One state change that a decision made. The moves of a decision, applied to the rows before it, give the rows after
 * it.
 */
public sealed interface Move {
    /** The time of the decision. */
    long at();

    /** A state change of a run. */
    sealed interface OfRun extends Move {
        RunRef ref();

        default String run() {
            return ref().id();
        }
    }

    record RunAccepted(RunRef ref, RunRow row, long at) implements OfRun {}

    /**
     * A run changed its state.
     *
     * @param starts the starts that rate limits on runs have to remember
     */
    record RunMoved(RunRef ref, RunRow row, RunState from, List<LimitStart> starts, long at) implements OfRun {}

    /**
     * A limit on runs held a queued run for the first time. Later checks of the same wait make no move.
     *
     * @param until the time of the next check; freed room admits the run sooner
     */
    record RunHeld(RunRef ref, LimitId.Shared limit, long until, long at) implements OfRun {}

    /** A run began to end. */
    record RunStopping(RunRef ref, RunEnding ending, long at) implements OfRun {}

    record RunOverridden(RunRef ref, @Nullable RunOverrides overrides, long at) implements OfRun {}

    /** The needs of a run, or its optional details, changed. */
    record RunChanged(RunRef ref, LimitNeeds limitNeeds, RunRow.Detail detail, long at) implements OfRun {}

    /** The optional details of a step changed, without its state. */
    record StepChanged(RunRef ref, UnitId unit, StepRow.Detail detail, long at) implements OfRun {}

    /** An operator put a waiting step or item ahead of all others. */
    record StepPutAhead(RunRef ref, StepRow row, long at) implements OfRun {}

    /** A person amended the output of a step that has ended. */
    record OutputAmended(RunRef ref, StepRow row, String by, long at) implements OfRun {}

    /** A signal arrived for which no step waits yet. */
    record SignalKept(RunRef ref, Signal signal, long at) implements OfRun {}

    /** A step took a signal that was kept. */
    record SignalTaken(RunRef ref, long number, long at) implements OfRun {}

    /** Four fifths of the time that a run may take are over. For display only: the run's row has the same fact. */
    record DeadlineNear(String run, long deadlineAt, long at) implements Move {}

    /** A step or item changed its state other than by a grant. */
    record StepMoved(RunRef ref, StepRow row, StepState from, long at) implements OfRun {}

    /** An item was created, with its input. */
    record ItemCreated(RunRef ref, StepRow row, long at) implements OfRun {}

    /**
     * A step or item was claimed.
     *
     * @param startsInTick the number of the run's steps that have started in this tick, including this one
     */
    record Granted(RunRef ref, Claim claim, StepRow row, StepState from, int startsInTick, long at) implements OfRun {}

    /**
     * Another worker took over a claim under a new fence. The claim kept its allocation, so this is not a new start.
     *
     * @param replacedFence the fence that the claim had before
     */
    record Resumed(RunRef ref, Claim claim, long replacedFence, StepRow row, long at) implements OfRun {}

    /** A claim got a higher fence than any other of the organisation before. */
    record FenceRaised(long highest, long at) implements Move {}

    /**
     * Workers could be heard in these spans. The move is made while overdue claims wait for their workers.
     *
     * @param spans all spans that count, oldest first
     */
    record ListeningRecorded(List<ListeningSpan> spans, long at) implements Move {
        public ListeningRecorded {
            spans = List.copyOf(spans);
        }
    }

    record Extended(RunRef ref, UnitId unit, long fence, long until, long at) implements OfRun {}

    /**
     * A claim ended and returned its allocation.
     *
     * @param grantedAt the time at which the claim was granted
     */
    record Released(RunRef ref, UnitId unit, long fence, Released.Cause cause, long grantedAt, long at)
            implements OfRun {
        /** The way in which a claim ended. */
        public enum Cause {
            REPORTED,
            EXPIRED,
            TIMED_OUT,
            CANCELLED
        }
    }

    record KeyPinned(LimitId.Shared limit, Pin pin, long at) implements Move {}

    record KeyUnpinned(LimitId.Shared limit, long at) implements Move {}

    /** An operator changed the limits on the runs of the organisation, of a workflow, or of one run key. */
    record RunLimitsConfigured(LimitId.Runs limit, RunLimitConfig config, long at) implements Move {}

    record KeyPaused(LimitId.Shared limit, long until, long at) implements Move {}

    record KeyResumed(LimitId.Shared limit, long at) implements Move {}

    /** The called side of a key asked for no calls before a given time. This is separate from an operator's pause. */
    record KeyHeld(LimitId.Shared limit, RetryAfterHold hold, long at) implements Move {}

    record RateReset(LimitId.Shared limit, long at) implements Move {}

    record WorkflowRegistered(Workflow workflow, int version, String hash, long at) implements Move {}

    record ModuleRegistered(String module, ConcurrencyProfile profile, long at) implements Move {}

    /** A change of an event, or of what triggers make of it. */
    sealed interface OfEvent extends Move {}

    /** An event was received or emitted. Its triggers handle it from then on. */
    record EventReceived(EventRow event, long at) implements OfEvent {}

    /** A trigger handled an event. */
    record EventHandled(long event, EventOutcome outcome, long at) implements OfEvent {}

    /**
     * All triggers have handled an event.
     *
     * @param triggers the number of triggers
     */
    record EventDelivered(long event, int triggers, long at) implements OfEvent {}

    /** A debounce window was opened, or took another event. */
    record WindowMoved(DebounceWindow window, long at) implements OfEvent {}

    /**
     * A debounce window ended.
     *
     * @param outcome the outcome of its last event
     */
    record WindowClosed(long window, EventOutcome outcome, long at) implements OfEvent {}

    /** A schedule began, or reached one of its times. */
    record ScheduleMoved(ScheduleRow row, long at) implements OfEvent {}

    /** The newest version of a workflow no longer has that schedule. */
    record ScheduleEnded(TriggerId trigger, long at) implements OfEvent {}

    /** A change of what needs a person's attention. It concerns no live run. */
    sealed interface OfAttention extends Move {}

    /** Work failed for good. */
    record DeadLettered(DeadLetter letter, long at) implements OfAttention {}

    /**
     * A dead letter was redriven or discarded.
     *
     * @param redrivenAs the id of the run, or of the event, that took its place; absent if none did
     */
    record DeadLetterClosed(
            long number, DeadLetter.State state, @Nullable String redrivenAs, long at) implements OfAttention {}

    /** A notice was issued. */
    record NoticeOpened(Notice notice, long at) implements OfAttention {}

    /** The value that a notice is about has been low for a while. */
    record NoticeClosed(Notice notice, long at) implements OfAttention {}

    /** A change of an API token, or an entry of the audit. It concerns no run. */
    sealed interface OfAccess extends Move {}

    /** An API token was created. */
    record TokenCreated(TokenRow token, long at) implements OfAccess {}

    /** The API token of that name was revoked, and any earlier one that it replaced. */
    record TokenRevoked(String name, long at) implements OfAccess {}

    /**
     * An API token was replaced by another one of the same name.
     *
     * @param until the time until which the replaced token still works
     */
    record TokenRotated(TokenRow token, long until, long at) implements OfAccess {}

    /** A change was recorded in the audit. */
    record Audited(AuditEntry entry, long at) implements OfAccess {}

    /** A secret got a value. It is sealed: nobody can read it without the node's key. */
    record SecretStored(SecretRow secret, String sealed, long at) implements OfAccess {
        @Override
        public String toString() {
            return "SecretStored[" + secret + "]";
        }
    }

    /** The data of an ended run will be deleted by the store. */
    record DeletionOrdered(String id, String run, long at) implements OfAccess {}

    record SecretDeleted(String name, long at) implements OfAccess {}

    /** A change of the organisation by the node's administration, for the audit of the administration. */
    record AdministrationAudited(Attribution by, AuditEntry.Change change, long at) implements OfAccess {}

    /** A change of what may start at all. It concerns no single run. */
    sealed interface OfStops extends Move {}

    /**
     * The organisation was suspended or resumed.
     *
     * @param suspension absent if it was resumed
     */
    record SuspensionChanged(@Nullable Suspension suspension, long at) implements OfStops {}

    /** A workflow was paused, archived or opened again. */
    record AvailabilityChanged(String workflow, WorkflowAvailability availability, long at) implements OfStops {}
}
