package dev.weir.core.command;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
    public @Nullable JsonNode data() {
        return command.data();
    }

    @Override
    public @Nullable String describeTarget() {
        return command.describeTarget();
    }

    @Override
    public Answer<A> decide(OrganisationControls org, long now) {
        // The watch begins first: a run that the command ends can no longer be found by its id.
        StateWatch watch = org.watch(run, step);
        A answer = command.decide(org, now);
        return new Answer<>(answer, watch.run(), watch.step());
    }
}
