package dev.weir.core.command;

import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Extends the claim of a worker that is still at work. */
public record Heartbeat(UnitId unit, long fence) implements WorkerCommand<Heartbeat.Answer> {
    /** The answer to the worker. */
    public sealed interface Answer {
        /**
         * The claim is live.
         *
         * @param remaining the time that it lasts, in microseconds from now
         * @param cancelRequested true if the worker should stop
         */
        record Extended(long remaining, boolean cancelRequested) implements Answer {}

        /** The claim has ended for good. */
        record ClaimLost() implements Answer {}
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public String describeTarget() {
        return unit.describe();
    }

    @Override
    public Answer decide(WorkControl work, long now) {
        ClaimStatus found = work.findClaim(unit).orElse(null);
        if (found == null || !isHeld(found, fence)) {
            return new Answer.ClaimLost();
        }
        if (found.claim().hasNoExpiry()) {
            return new Answer.Extended(found.claim().lease(), found.cancelRequested());
        }
        ClaimStatus extended = work.extend(unit, now);
        return new Answer.Extended(Math.max(0, extended.endsAt() - now), extended.cancelRequested());
    }

    /** True if the live claim has this fence, so that none is newer. */
    private static boolean isHeld(ClaimStatus found, long fence) {
        return found.fence() == fence;
    }
}
