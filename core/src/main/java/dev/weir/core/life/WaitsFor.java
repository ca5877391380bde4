package dev.weir.core.life;

/** What a waiting step waits for. */
public enum WaitsFor {
    TIME,
    /** A person's approval. */
    GATE,
    /** An operator who resumes the run after the step failed. */
    OPERATOR
}
