package dev.weir.core.definition;

/** The allocation of a step while it waits for a person's input. */
public enum OnNeedsInput {
    /** The step keeps its whole allocation: resuming is not a new start. */
    KEEP,
    /** The step returns its allocation and is admitted again when the input arrives. */
    RELEASE
}
