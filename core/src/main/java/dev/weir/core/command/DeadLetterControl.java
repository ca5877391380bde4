package dev.weir.core.command;

import dev.weir.core.state.DeadLetter;

/** The dead letters of an organisation, as commands use them. */
public interface DeadLetterControl {
    /** Adds a dead letter. */
    DeadLetter add(DeadLetter.Content content, long now);
}
