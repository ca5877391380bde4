package dev.weir.core.admission;

/** The decision of one limit about a ticket: it admits it, or the cause for which it refuses. */
sealed interface LimitVerdict permits Verdict.Admit, HoldCause {
    default boolean admits() {
        return this == Verdict.Admit.INSTANCE;
    }

    static LimitVerdict refuseIf(boolean refuses, HoldCause cause) {
        return refuses ? cause : Verdict.Admit.INSTANCE;
    }
}
