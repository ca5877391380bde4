package dev.weir.core.life;

import java.util.Locale;

/** What a waiting step waits for. */
public enum WaitsFor {
    TIME,
    /** A person's approval. */
    GATE,
    /** A signal to its run. */
    SIGNAL,
    /** The run that it has invoked. */
    CHILD,
    /** Input of its run, or something in an earlier output, that is not there. */
    MISSING_INPUT,
    /** An output that fits what the step says of it. */
    INVALID_ARTIFACT,
    /** An operator who resumes the run after the step failed. */
    OPERATOR;

    /** Whether that comes without anybody outside. */
    boolean comesByItself() {
        return this == TIME;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
