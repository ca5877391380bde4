package dev.weir.core.definition;

/** What a step holds while it waits for a person's input. */
public enum OnNeedsInput {
    /** Everything: resuming is not a new start. */
    KEEP,
    /** Nothing: it is admitted anew when the input comes. */
    RELEASE
}
