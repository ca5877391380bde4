package dev.weir.core.state;

import java.util.Locale;

/** The answer to whether runs of a workflow may start. */
public enum WorkflowAvailability {
    OPEN,
    /** New runs are accepted, and stay queued until the workflow is open again. */
    PAUSED,
    /** New runs are refused, and lists leave the workflow out. */
    ARCHIVED;

    /** The word for it in rows, in the audit and on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the availability that a word stands for. */
    public static WorkflowAvailability of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
