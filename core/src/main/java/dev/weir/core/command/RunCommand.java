package dev.weir.core.command;

/** A command about one run as a whole. */
public sealed interface RunCommand<A> extends Command<A>
        permits AmendInput,
                CancelRun,
                ExtendDeadline,
                OverrideRun,
                PauseRun,
                ResumeRun,
                RetryRun,
                SendSignal,
                StartRun {
    A decide(RunControl runs, long now);

    @Override
    default A decide(OrganisationControls org, long now) {
        return decide(org.runs(), now);
    }

    /** Returns the id of the run. */
    String run();

    @Override
    default String describeTarget() {
        return "run " + run();
    }
}
