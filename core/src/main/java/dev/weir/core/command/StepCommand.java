package dev.weir.core.command;

import dev.weir.core.state.UnitId;

/** A command about one step or item. */
public sealed interface StepCommand<A> extends Command<A>
        permits AbandonStep, AmendOutput, ApproveStep, ProvideInput, RevokeApproval, SkipStep {
    A decide(StepControl steps, long now);

    @Override
    default A decide(OrganisationControls org, long now) {
        return decide(org.steps(), now);
    }

    UnitId unit();

    @Override
    default String describeTarget() {
        return unit().describe();
    }
}
