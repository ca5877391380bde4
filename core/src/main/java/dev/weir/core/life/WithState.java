package dev.weir.core.life;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * A command about a live run or step, whose answer includes the state right after it. An operator thus learns the
 * effect without another request.
 *
 * @param step the step or item; absent = the command is about the run as a whole
 */
public record WithState<A>(
        Command<A> command, String run, @Nullable UnitId step) implements Command<WithState.Answer<A>> {
    /**
     * The command's own answer, and the states of the run and the step after it.
     *
     * @param run absent if no run with that id was live
     * @param step absent if the command is not about a step, or no such step was live
     */
    public record Answer<A>(
            A answer, @Nullable RunState run, @Nullable StepState step) {}

    public static <A> WithState<A> ofRun(Command<A> command, String run) {
        return new WithState<>(command, run, null);
    }

    public static <A> WithState<A> ofStep(Command<A> command, UnitId step) {
        return new WithState<>(command, step.run(), step);
    }

    @Override
    public Answer<A> decide(Organisation org, long now) {
        // Look them up first: a run that the command ends can no longer be found by its id.
        Run found = org.runs.get(run);
        Unit unit = step == null ? null : org.find(step);
        A answer = command.decide(org, now);
        return new Answer<>(answer, found == null ? null : found.state, unit == null ? null : unit.state);
    }
}
