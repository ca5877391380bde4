package dev.weir.testkit.junit;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.UnitId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One try of a step or item, as its handler sees it. */
public final class Work {
    private final Assignment assignment;
    private final Bout bout;

    Work(Assignment assignment, Bout bout) {
        this.assignment = assignment;
        this.bout = bout;
    }

    /** Which run, step and item it is. */
    public UnitId unit() {
        return assignment.claim().unit();
    }

    /** Which try it is, from 1. */
    public int attempt() {
        return assignment.attempt();
    }

    /** Grows with every claim of the step; to be checked where the work has its effects. */
    public long fence() {
        return assignment.claim().fence();
    }

    /** What the step was given; secrets stay names in a test. */
    public JsonNode input() {
        return assignment.input().value();
    }

    /** What a person has given since, because the step needed it. */
    public @Nullable JsonNode provided() {
        return assignment.provided();
    }

    public Instant now() {
        return bout.now();
    }

    /**
     * Takes time, of the virtual kind.
     *
     * @throws InterruptedException if the claim is lost or the run is cancelled meanwhile
     */
    public void sleep(Duration time) throws InterruptedException {
        bout.sleep(time);
    }
}
