package dev.weir.testkit.junit;

import dev.weir.core.command.Assignment;
import dev.weir.core.state.UnitId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One attempt of a step or item, as its handler sees it. */
public final class TestAttempt {
    private final Assignment assignment;
    private final HandlerThread handlerThread;

    TestAttempt(Assignment assignment, HandlerThread handlerThread) {
        this.assignment = assignment;
        this.handlerThread = handlerThread;
    }

    /** The run, step and item of this attempt. */
    public UnitId unit() {
        return assignment.claim().unit();
    }

    /** The number of this attempt, starting at 1. */
    public int attempt() {
        return assignment.attempt();
    }

    /** The fence of the claim. It grows with every claim of the step; check it where the work has its effects. */
    public long fence() {
        return assignment.claim().fence();
    }

    /** The input of the step. In a test, secrets stay unresolved: the input contains their names. */
    public JsonNode input() {
        return assignment.input().value();
    }

    /** The input that a person has provided since the step asked for it; null if there is none. */
    public @Nullable JsonNode provided() {
        return assignment.provided();
    }

    public Instant now() {
        return handlerThread.now();
    }

    /**
     * Pauses the handler for some virtual time.
     *
     * @throws InterruptedException if the claim is lost or the run is cancelled meanwhile
     */
    public void sleep(Duration time) throws InterruptedException {
        handlerThread.sleep(time);
    }
}
