package dev.weir.core.command;

import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.TriggerSubmission;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Submits an event, or a time of a schedule, to one trigger again. The newest version of the workflow decides, with the
 * limits of now. The run has the id that it would have had at first, so it starts once, however often this is repeated.
 */
public record SubmitToTrigger(TriggerSubmission submission) implements Command<EventOutcome> {
    @Override
    public @Nullable JsonNode data() {
        return submission instanceof TriggerSubmission.OfEvent ofEvent
                ? ofEvent.event().data()
                : null;
    }

    @Override
    public String describeTarget() {
        return "trigger " + submission.trigger();
    }

    @Override
    public EventOutcome decide(OrganisationControls org, long now) {
        return org.events().submit(submission, now);
    }
}
