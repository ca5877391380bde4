package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Ends a poll that has waited long enough. The answer is true if it was still waiting. */
public record EndPoll(String request) implements WorkerCommand<Boolean> {
    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public @Nullable String describeTarget() {
        return null;
    }

    @Override
    public Boolean decide(WorkControl work, long now) {
        return work.endPoll(request, now);
    }
}
