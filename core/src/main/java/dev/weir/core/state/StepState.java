package dev.weir.core.state;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The state of a step, or of an item of a fan-out. {@code docs/STATES.md} is generated from this enum. */
public enum StepState {
    BLOCKED("A step that needs other steps that have not ended."),
    READY("A step that starts as soon as its limits admit it and a worker claims it."),
    REQUESTED("An item that starts as soon as its limits admit it and a worker claims it."),
    RUNNING("A worker has claimed it. A fan-out is running from the start of its first item."),
    NEEDS_INPUT("Its worker has asked a person for input. It keeps what it occupies, unless configured otherwise."),
    BACKING_OFF("It waits for the delay before the next attempt."),
    WAITING("It waits for a time, a person, a signal, another run or a correction. It occupies no limit."),
    COMPLETED("The work is done, or there was nothing to do."),
    FAILED("No attempts are left, or another attempt cannot help."),
    CANCELLED("Not done, because its run was ending."),
    SKIPPED("Not done, because of its condition, an operator, or the targets of the run.");

    private static final Set<StepState> FINAL_STATES = EnumSet.of(COMPLETED, FAILED, CANCELLED, SKIPPED);

    /** The allowed moves, computed once because steps change state a million times a second. */
    private static final Map<StepState, Set<StepState>> NEXT = new EnumMap<>(StepState.class);

    static {
        for (StepState state : values()) {
            NEXT.put(state, Collections.unmodifiableSet(allowed(state)));
        }
    }

    private final String meaning;

    StepState(String meaning) {
        this.meaning = meaning;
    }

    /** The meaning of the state in one sentence. */
    public String meaning() {
        return meaning;
    }

    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    /** The states that a step or item can move to from this one. */
    public Set<StepState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    private static Set<StepState> allowed(StepState state) {
        return switch (state) {
            case BLOCKED -> orFinal(EnumSet.of(READY, WAITING));
            case READY -> orFinal(EnumSet.of(RUNNING, WAITING));
            case REQUESTED -> EnumSet.of(RUNNING, FAILED, CANCELLED);
            case RUNNING ->
                EnumSet.of(READY, REQUESTED, NEEDS_INPUT, BACKING_OFF, WAITING, COMPLETED, FAILED, CANCELLED);
            case NEEDS_INPUT ->
                EnumSet.of(READY, REQUESTED, RUNNING, BACKING_OFF, WAITING, COMPLETED, FAILED, CANCELLED);
            case BACKING_OFF -> EnumSet.of(READY, REQUESTED, FAILED, CANCELLED, SKIPPED);
            case WAITING -> orFinal(EnumSet.of(READY, RUNNING, WAITING));
            // If its step waits for an operator after a failure, an item gets another attempt when the run is resumed.
            case FAILED -> EnumSet.of(REQUESTED);
            case COMPLETED, CANCELLED, SKIPPED -> EnumSet.noneOf(StepState.class);
        };
    }

    private static Set<StepState> orFinal(Set<StepState> states) {
        states.addAll(FINAL_STATES);
        return states;
    }

    /** Returns the next state; throws if a step never makes that move, because that is a bug. */
    public StepState moveTo(StepState to) {
        if (!next().contains(to)) {
            throw new IllegalStateException("expected a move that a step may make, found " + this + " to " + to);
        }
        return to;
    }
}
