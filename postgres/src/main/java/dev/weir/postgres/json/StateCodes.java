package dev.weir.postgres.json;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import java.util.HashMap;
import java.util.Map;

/** Converts states to the single letters that rows contain, and back. */
public final class StateCodes {
    private static final Map<String, RunState> RUNS = new HashMap<>();
    private static final Map<String, StepState> STEPS = new HashMap<>();

    static {
        for (RunState state : RunState.values()) {
            RUNS.put(letter(state), state);
        }
        for (StepState state : StepState.values()) {
            STEPS.put(letter(state), state);
        }
    }

    private StateCodes() {}

    public static String letter(RunState state) {
        return switch (state) {
            case QUEUED -> "q";
            case RUNNING -> "r";
            case WAITING -> "w";
            case PAUSED -> "p";
            case COMPENSATING -> "o";
            case COMPLETED -> "c";
            case FAILED -> "f";
            case CANCELLED -> "x";
        };
    }

    public static String letter(StepState state) {
        return switch (state) {
            case BLOCKED -> "b";
            case READY -> "r";
            case REQUESTED -> "q";
            case RUNNING -> "u";
            case NEEDS_INPUT -> "i";
            case BACKING_OFF -> "o";
            case WAITING -> "w";
            case COMPLETED -> "c";
            case FAILED -> "f";
            case CANCELLED -> "x";
            case SKIPPED -> "s";
        };
    }

    public static RunState run(String letter) {
        return requireKnown(RUNS.get(letter), letter);
    }

    public static StepState step(String letter) {
        return requireKnown(STEPS.get(letter), letter);
    }

    private static <T> T requireKnown(@org.jspecify.annotations.Nullable T state, String letter) {
        if (state == null) {
            throw new IllegalArgumentException("expected the letter of a state, found " + letter);
        }
        return state;
    }
}
