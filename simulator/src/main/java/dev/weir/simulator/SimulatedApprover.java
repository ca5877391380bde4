package dev.weir.simulator;

import dev.weir.core.command.AbandonStep;
import dev.weir.core.command.AmendInput;
import dev.weir.core.command.AmendOutput;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.ExtendDeadline;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.RevokeApproval;
import dev.weir.core.command.SendSignal;
import dev.weir.core.definition.Step;
import dev.weir.core.state.UnitId;
import tools.jackson.databind.node.JsonNodeFactory;

/** A person who answers requests for input, approves gates, and revokes approvals. */
record SimulatedApprover(SimulatedWorld world) {
    /** Gives a step the input that it needs, perhaps twice, or abandons the step. */
    void answerInputRequest(UnitId unit) {
        if (world.chance(25)) {
            world.send(
                    new AbandonStep(unit, "somebody", "no idea"),
                    answer -> world.noteCoverage(answer == AbandonStep.Answer.ABANDONED, Coverage.ABANDONED));
            return;
        }
        var input = new ProvideInput(unit, JsonNodeFactory.instance.stringNode("this one"));
        world.send(input, first -> {
            if (first == ProvideInput.Answer.PROVIDED && world.chance(20)) {
                world.send(input);
            }
        });
    }

    /** Gives a run the input that it lacks, and replaces the outputs of its steps that do not fit their schema. */
    void amend(String run) {
        var input = JsonNodeFactory.instance.objectNode().put("key", "c0").put(RandomScenario.REQUIRED_FIELD, true);
        world.send(
                new AmendInput(run, input),
                answer -> world.noteCoverage(answer == AmendInput.Answer.AMENDED, Coverage.INPUT_AMENDED));
        for (Step step : world.checker.traceState().run(run).workflow.steps()) {
            if (step.resultRules().outputSchema() != null) {
                world.send(
                        new AmendOutput(run, step.id(), JsonNodeFactory.instance.numberNode(7), "somebody"),
                        answer -> world.noteCoverage(
                                answer instanceof AmendOutput.Answer.Amended, Coverage.OUTPUT_AMENDED));
            }
        }
    }

    /**
     * Sends a signal twice. If the first one was delivered to a waiting step, the repetition must not be kept for
     * another step.
     */
    private void signalTwice(String run) {
        var payload = JsonNodeFactory.instance.numberNode(world.now());
        var signal = new SendSignal(run, "at " + world.now(), RandomScenario.SIGNAL, payload);
        world.send(signal, first -> {
            boolean delivered = first == SendSignal.Answer.DELIVERED;
            world.send(signal, again -> {
                world.noteCoverage(again == first, Coverage.SIGNAL_REPEATED);
                boolean another = again == SendSignal.Answer.KEPT || again == SendSignal.Answer.OTHER_BODY;
                Violation.require(
                        !delivered || !another, "S6", "a signal that was delivered, sent again, was %s", again);
            });
        });
    }

    /** Approves the gates of a run, and revokes some of the approvals. */
    void approveAndRevoke(String run) {
        if (world.chance(60)) {
            signalTwice(run);
        }
        if (world.chance(60)) {
            world.send(
                    new ExtendDeadline(run, world.now() + world.randomBetween(0, 90 * SimulatedWorld.SECOND)),
                    answer -> world.noteCoverage(answer == ExtendDeadline.Answer.EXTENDED, Coverage.DEADLINE_EXTENDED));
        }
        if (world.chance(40)) {
            amend(run);
        }
        for (Step step : world.checker.traceState().run(run).workflow.steps()) {
            world.send(
                    new ApproveStep(run, step.id(), "somebody", null),
                    answer -> world.noteCoverage(answer == ApproveStep.Answer.APPROVED, Coverage.APPROVED));
            if (world.chance(70)) {
                world.send(
                        new RevokeApproval(run, step.id(), "somebody", "wait"),
                        answer -> world.noteCoverage(answer == RevokeApproval.Answer.REVOKED, Coverage.REVOKED));
            }
        }
    }
}
