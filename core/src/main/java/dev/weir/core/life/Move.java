package dev.weir.core.life;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.Workflow;
import dev.weir.core.json.Keepable;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Start;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Something that was decided. The moves of a decision, applied to the rows before it, give the rows after it. */
public sealed interface Move {
    /** When it was decided. */
    long at();

    /** Something that was decided about a run. */
    sealed interface OfRun extends Move {
        /** The run. */
        RunRef ref();

        /** The run's id. */
        default String run() {
            return ref().id();
        }
    }

    record RunAccepted(RunRef ref, RunRow row, long at) implements OfRun {}

    /**
     * A run came into another state.
     *
     * @param starts the starts that limits of runs with a rate have to remember
     */
    record RunMoved(RunRef ref, RunRow row, RunState from, List<Start> starts, long at) implements OfRun {}

    /** A run is on its way to its end. */
    record RunStopping(RunRef ref, Ending ending, long at) implements OfRun {}

    record RunOverridden(RunRef ref, RunGate.@Nullable Overrides overrides, long at) implements OfRun {}

    /** What a run asks for, or what few runs have, has changed. */
    record RunChanged(RunRef ref, Ask ask, RunRow.Detail detail, long at) implements OfRun {}

    /** What few steps have has changed, and the state has not. */
    record StepChanged(RunRef ref, UnitId unit, StepRow.Detail detail, long at) implements OfRun {}

    /** The output of a step that is completed was mended by a person. */
    record OutputAmended(RunRef ref, StepRow row, String by, long at) implements OfRun {}

    /** A signal came for which no step waits yet. */
    record SignalKept(RunRef ref, Signal signal, long at) implements OfRun {}

    /** A signal that was kept went to a step. */
    record SignalTaken(RunRef ref, long number, long at) implements OfRun {}

    /** Four fifths of the time that a run may take are over. It is for people only: the run's row says it too. */
    record DeadlineNear(String run, long deadlineAt, long at) implements Move {}

    /** A step or item came into another state other than by a grant. */
    record StepMoved(RunRef ref, StepRow row, StepState from, long at) implements OfRun {}

    /** An item was made, with its input. */
    record ItemMade(RunRef ref, StepRow row, long at) implements OfRun {}

    /**
     * A step or item was claimed.
     *
     * @param startsInTick how many steps of the run have started in this tick, this one included
     */
    record Granted(RunRef ref, Claim claim, StepRow row, StepState from, int startsInTick, long at) implements OfRun {}

    /** A claim goes on with another worker under a new fence; what it holds was never given back, so it is no new start. */
    record Resumed(RunRef ref, Claim claim, StepRow row, long at) implements OfRun {}

    record Extended(RunRef ref, UnitId unit, long fence, long until, long at) implements OfRun {}

    /** A claim has ended, and what it held was given back. */
    record Released(RunRef ref, UnitId unit, long fence, Released.How how, long at) implements OfRun {
        /** How a claim ended. */
        public enum How {
            REPORTED,
            EXPIRED,
            TIMED_OUT,
            CANCELLED
        }
    }

    record KeyPinned(LimitId.Shared limit, Pin pin, long at) implements Move {}

    record KeyUnpinned(LimitId.Shared limit, long at) implements Move {}

    record KeyPaused(LimitId.Shared limit, long until, long at) implements Move {}

    record KeyResumed(LimitId.Shared limit, long at) implements Move {}

    /** The other side of a key has asked that nobody calls it before that time; an operator's pause is another thing. */
    record KeyHeld(LimitId.Shared limit, long until, long at) implements Move {}

    /** An event for the organisation's triggers, to be sent once this is committed. */
    record EventEmitted(UnitId unit, String event, JsonNode data, Origin origin, long at) implements Move {}

    /**
     * A start that a program has left in its own transaction cannot be carried out, and nobody waits to be told. It is for
     * people only.
     *
     * @param by who left it, as the store knows them
     */
    record StartRefused(String run, String workflow, Why why, String message, String by, long at) implements Move {
        public static final int WORDS_CHARS_MAX = 256;
        public static final int MESSAGE_CHARS_MAX = 2_000;

        /** What was wrong with it. */
        public enum Why {
            UNKNOWN_WORKFLOW,
            /** Another run has its id. */
            CONFLICT,
            REFUSED,
            /** It cannot be decided or written. */
            FAILED
        }

        /** Whatever was left, this can be kept. */
        public StartRefused {
            run = Keepable.of(run, WORDS_CHARS_MAX);
            workflow = Keepable.of(workflow, WORDS_CHARS_MAX);
            message = Keepable.of(message, MESSAGE_CHARS_MAX);
            by = Keepable.of(by, WORDS_CHARS_MAX);
        }
    }

    record RateReset(LimitId.Shared limit, long at) implements Move {}

    record WorkflowRegistered(Workflow workflow, int version, String hash, long at) implements Move {}

    record ModuleRegistered(String module, ConcurrencyProfile profile, long at) implements Move {}
}
