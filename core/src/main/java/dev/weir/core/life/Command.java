package dev.weir.core.life;

/**
 * Something that somebody asks of an organisation. Each command holds its own rule, in its own file.
 *
 * @param <A> what the one who asks is told
 */
public sealed interface Command<A>
        permits AbandonStep,
                AmendInput,
                AmendOutput,
                AndState,
                ApproveStep,
                CancelRun,
                ClaimSteps,
                ClaimWork,
                EndPoll,
                ExtendDeadline,
                Heartbeat,
                OverrideRun,
                PauseKey,
                PauseRun,
                PinKey,
                ProvideInput,
                RegisterWorkflow,
                ResetRate,
                ResumeKey,
                ResumeRun,
                RetryRun,
                RevokeApproval,
                SendSignal,
                SkipStep,
                StartRun,
                UnpinKey,
                UpdateStep {
    /** Decides, and does what was decided; called by {@link Organisation#handle} only. */
    A decide(Organisation org, long now);
}
