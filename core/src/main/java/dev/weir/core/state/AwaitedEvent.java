package dev.weir.core.state;

import java.util.Locale;

/** The event that a waiting step waits for. */
public enum AwaitedEvent {
    TIME,
    /** A person's approval. */
    GATE,
    /** A signal to its run. */
    SIGNAL,
    /** The end of the run that it has invoked. */
    CHILD,
    /** Missing data in the input of its run or in an earlier output. */
    MISSING_INPUT,
    /** An output that matches the step's schema. */
    INVALID_ARTIFACT,
    /** An operator who resumes the run after the step failed. */
    OPERATOR;

    /** True if the event comes without anybody outside. */
    public boolean isSelfTriggered() {
        return this == TIME;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
