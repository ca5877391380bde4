package dev.weir.core.command;

import dev.weir.core.state.DeadLetter;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Records that work failed for good before it became a run. Nobody waits for an answer. */
public record RecordDeadLetter(DeadLetter.Content content) implements Command<DeadLetter> {
    @Override
    public DeadLetter decide(OrganisationControls org, long now) {
        return org.deadLetters().add(content, now);
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public String describeTarget() {
        return content.kind().word() + " " + content.subject();
    }
}
