package dev.weir.testkit.junit;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import java.util.Locale;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Assertions about a run. A failure message gives the state of the run and the reasons why each of its steps waits. */
public final class RunAssert extends AbstractAssert<RunAssert, TestRun> {
    RunAssert(TestRun run) {
        super(run, RunAssert.class);
    }

    public RunAssert isCompleted() {
        return hasState(RunState.COMPLETED);
    }

    public RunAssert hasFailed() {
        return hasState(RunState.FAILED);
    }

    public RunAssert isCancelled() {
        return hasState(RunState.CANCELLED);
    }

    public RunAssert hasState(RunState state) {
        return require(actual.state() == state, "to be " + word(state));
    }

    public RunAssert hasStep(String step, StepState state) {
        return require(actual.state(step) == state, "to have step " + step + " " + word(state));
    }

    /** Asserts that a step has the given output, which is any value that can be written as JSON. */
    public RunAssert hasOutput(String step, @Nullable Object output) {
        JsonNode wanted = HandlerThread.json(output);
        JsonNode found = actual.output(step);
        return require(wanted.equals(found), "to have output " + wanted + " of step " + step + ", found " + found);
    }

    /** Asserts that a step has had the given number of attempts. */
    public RunAssert hasTries(String step, int tries) {
        long found = actual.step(step).attempts();
        return require(found == tries, "to have " + tries + " attempts of step " + step + ", found " + found);
    }

    private RunAssert require(boolean condition, String what) {
        if (!condition) {
            throw failure("expected %s %s; it is %s", actual, what, actual.why());
        }
        return this;
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
