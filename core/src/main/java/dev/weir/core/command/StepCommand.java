package dev.weir.core.command;

import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A command about one step or item. */
public sealed interface StepCommand<A> extends Command<A>, AuditedCommand
        permits AbandonStep, AmendOutput, ApproveStep, ProvideInput, RevokeApproval, RunStepNow, SkipStep {
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

    @Override
    default String auditTarget() {
        return "step:" + unit();
    }

    @Override
    default @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.steps()
                .findStep(unit())
                .map(AuditValues::step)
                .orElseGet(() -> AuditValues.run(org.runs(), unit().run()));
    }
}
