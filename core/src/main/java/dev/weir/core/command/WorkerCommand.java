package dev.weir.core.command;

/** A request of a worker: it polls, claims, extends a claim or reports. */
public sealed interface WorkerCommand<A> extends Command<A>
        permits ClaimSteps, ClaimWork, EndPoll, Heartbeat, UpdateStep {
    A decide(WorkControl work, long now);

    @Override
    default A decide(OrganisationControls org, long now) {
        return decide(org.work(), now);
    }
}
