package dev.weir.core.command;

import dev.weir.core.state.DeadLetter;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Closes a dead letter: it was submitted again, or nobody wants it any more. Closing it again the same way changes
 * nothing.
 *
 * @param stored the state in which it is stored; a newer state in memory counts instead
 * @param state the new state
 * @param redrivenAs the id of the run, or of the event, that takes its place; absent if none does
 */
public record CloseDeadLetter(
        DeadLetter letter,
        DeadLetterControl.Closed stored,
        DeadLetter.State state,
        @Nullable String redrivenAs) implements Command<CloseDeadLetter.Answer>, AuditedCommand {
    /** The answer to the caller: how the dead letter was closed, and if this command did it. */
    public record Answer(DeadLetterControl.Closed closed, boolean isNew) {}

    public CloseDeadLetter {
        if (state == DeadLetter.State.OPEN) {
            throw new IllegalArgumentException("expected a state of a closed dead letter, found open");
        }
    }

    @Override
    public Answer decide(OrganisationControls org, long now) {
        DeadLetterControl.Closed before = current(org);
        if (before.state() != DeadLetter.State.OPEN) {
            return new Answer(before, false);
        }
        org.deadLetters().close(letter.number(), state, redrivenAs, now);
        return new Answer(new DeadLetterControl.Closed(state, redrivenAs), true);
    }

    private DeadLetterControl.Closed current(OrganisationControls org) {
        DeadLetterControl.Closed newer = org.deadLetters().findClosed(letter.number());
        return newer == null ? stored : newer;
    }

    @Override
    public String auditAction() {
        return state == DeadLetter.State.REDRIVEN ? "redrive_dead_letter" : "discard_dead_letter";
    }

    @Override
    public String auditTarget() {
        return "dead_letter:" + letter.number();
    }

    @Override
    public JsonNode auditState(OrganisationControls org, long now) {
        DeadLetterControl.Closed current = current(org);
        DeadLetter.Content content = letter.content();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("kind", content.kind().word())
                .put("subject", content.subject())
                .put("state", current.state().word());
        if (current.redrivenAs() != null) {
            json.put("redriven_as", current.redrivenAs());
        }
        return json;
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public String describeTarget() {
        return "dead letter " + letter.number();
    }
}
