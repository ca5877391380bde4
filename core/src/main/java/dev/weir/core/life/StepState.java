package dev.weir.core.life;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Where a step, or an item of a fanned-out step, is in its life. {@code docs/STATES.md} is made from this. */
public enum StepState {
    BLOCKED("A step that needs others which have not ended."),
    READY("A step that may start as soon as its limits admit it."),
    REQUESTED("An item that may start as soon as its limits admit it."),
    RUNNING("Claimed by a worker; a fanned-out step from its first item's start on."),
    NEEDS_INPUT("Its worker has asked a person for input. It keeps what it holds, unless it says otherwise."),
    BACKING_OFF("Between two tries."),
    WAITING("For a time, a person, a signal, another run, or something to be mended. It holds nothing."),
    COMPLETED("Done; also where there was nothing to do."),
    FAILED("Tried as often as it may be, or in vain."),
    CANCELLED("Not done, because its run was to end."),
    SKIPPED("Not done, because its condition, an operator or the choice of targets said so.");

    private static final Set<StepState> ENDS = EnumSet.of(COMPLETED, FAILED, CANCELLED, SKIPPED);

    /** Made once: steps change their states a million times a second. */
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

    /** What it is, in one sentence. */
    public String meaning() {
        return meaning;
    }

    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    /** The states that a step or item can come to from this one. */
    public Set<StepState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    private static Set<StepState> allowed(StepState state) {
        return switch (state) {
            case BLOCKED -> or(EnumSet.of(READY, WAITING));
            case READY -> or(EnumSet.of(RUNNING, WAITING));
            case REQUESTED -> EnumSet.of(RUNNING, FAILED, CANCELLED);
            case RUNNING ->
                EnumSet.of(READY, REQUESTED, NEEDS_INPUT, BACKING_OFF, WAITING, COMPLETED, FAILED, CANCELLED);
            case NEEDS_INPUT ->
                EnumSet.of(READY, REQUESTED, RUNNING, BACKING_OFF, WAITING, COMPLETED, FAILED, CANCELLED);
            case BACKING_OFF -> EnumSet.of(READY, REQUESTED, FAILED, CANCELLED, SKIPPED);
            case WAITING -> or(EnumSet.of(READY, RUNNING, WAITING));
            // An item whose step waits for an operator after a failure is tried again when the run is resumed.
            case FAILED -> EnumSet.of(REQUESTED);
            case COMPLETED, CANCELLED, SKIPPED -> EnumSet.noneOf(StepState.class);
        };
    }

    private static Set<StepState> or(Set<StepState> states) {
        states.addAll(ENDS);
        return states;
    }

    /** The next state; a move that a step never makes is a bug. */
    StepState moveTo(StepState to) {
        if (!next().contains(to)) {
            throw new IllegalStateException("expected a move that a step may make, found " + this + " to " + to);
        }
        return to;
    }
}
