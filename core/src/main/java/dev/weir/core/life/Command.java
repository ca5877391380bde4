package dev.weir.core.life;

/**
 * A request that changes an organisation. Each command contains its own rule, in its own file.
 *
 * @param <A> the answer to the caller
 */
public sealed interface Command<A>
        permits AbandonStep,
                AmendInput,
                AmendOutput,
                WithState,
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
    /** Decides the command and carries out the decision. Only {@link Organisation#handle} calls it. */
    A decide(Organisation org, long now);
}
