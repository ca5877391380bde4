package dev.weir.core.command;

import dev.weir.core.state.DeadLetter;
import org.jspecify.annotations.Nullable;

/** The dead letters of an organisation, as commands use them. */
public interface DeadLetterControl {
    /**
     * The end of a dead letter.
     *
     * @param redrivenAs the id of the run, or of the event, that took its place; absent if none did
     */
    record Closed(DeadLetter.State state, @Nullable String redrivenAs) {}

    /** Adds a dead letter. */
    DeadLetter add(DeadLetter.Content content, long now);

    /** Closes an open dead letter. */
    void close(long number, DeadLetter.State state, @Nullable String redrivenAs, long now);

    /** Finds the end of a dead letter that was closed a short time ago, perhaps not yet in the rows. */
    @Nullable
    Closed findClosed(long number);
}
