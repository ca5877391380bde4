package dev.weir.core.life;

import org.jspecify.annotations.Nullable;

/**
 * A command about a run or a step that lives, and how that stands right after it: who operates something is told what
 * became of it, without asking again.
 *
 * @param step the step or item; absent = it is about the run as a whole
 */
public record AndState<A>(
        Command<A> command, String run, @Nullable UnitId step) implements Command<AndState.Answer<A>> {
    /**
     * What the command gives, and what became of the run and the step.
     *
     * @param run absent if none of that id was alive
     * @param step absent if it is about none, or none of that id was alive
     */
    public record Answer<A>(
            A answer, @Nullable RunState run, @Nullable StepState step) {}

    public static <A> AndState<A> ofRun(Command<A> command, String run) {
        return new AndState<>(command, run, null);
    }

    public static <A> AndState<A> ofStep(Command<A> command, UnitId step) {
        return new AndState<>(command, step.run(), step);
    }

    @Override
    public Answer<A> decide(Organisation org, long now) {
        // They are found before: what ends is not known by its id any more.
        Run found = org.runs.get(run);
        Unit unit = step == null ? null : org.find(step);
        A answer = command.decide(org, now);
        return new Answer<>(answer, found == null ? null : found.state, unit == null ? null : unit.state);
    }
}
