package dev.weir.testkit.simulator;

import dev.weir.core.definition.Step;
import dev.weir.core.life.AbandonStep;
import dev.weir.core.life.AmendInput;
import dev.weir.core.life.AmendOutput;
import dev.weir.core.life.ApproveStep;
import dev.weir.core.life.ExtendDeadline;
import dev.weir.core.life.ProvideInput;
import dev.weir.core.life.RevokeApproval;
import dev.weir.core.life.SendSignal;
import dev.weir.core.life.UnitId;
import tools.jackson.databind.node.JsonNodeFactory;

/** Somebody who is asked, approves, and changes his mind. */
record Person(World world) {
    /** Gives a step the input that it needs, perhaps twice, or gives it up. */
    void answer(UnitId unit) {
        if (world.chance(25)) {
            world.send(
                    new AbandonStep(unit, "somebody", "no idea"),
                    answer -> world.saw(answer == AbandonStep.Answer.ABANDONED, Kind.ABANDONED));
            return;
        }
        var input = new ProvideInput(unit, JsonNodeFactory.instance.stringNode("this one"));
        world.send(input, first -> {
            if (first == ProvideInput.Answer.PROVIDED && world.chance(20)) {
                world.send(input);
            }
        });
    }

    /** Gives a run the input that it lacks, and its steps the outputs that they should have had. */
    void mend(String run) {
        var input = JsonNodeFactory.instance.objectNode().put("key", "c0").put(Scenario.NEEDED, true);
        world.send(
                new AmendInput(run, input),
                answer -> world.saw(answer == AmendInput.Answer.AMENDED, Kind.INPUT_MENDED));
        for (Step step : world.checker.tally().run(run).workflow.steps()) {
            if (step.ending().outputSchema() != null) {
                world.send(
                        new AmendOutput(run, step.id(), JsonNodeFactory.instance.numberNode(7), "somebody"),
                        answer -> world.saw(answer instanceof AmendOutput.Answer.Amended, Kind.OUTPUT_MENDED));
            }
        }
    }

    /** Sends a signal, and the same again: one that was waited for is not kept for another, too. */
    private void signalTwice(String run) {
        var payload = JsonNodeFactory.instance.numberNode(world.now());
        var signal = new SendSignal(run, "at " + world.now(), Scenario.SIGNAL, payload);
        world.send(signal, first -> {
            boolean delivered = first == SendSignal.Answer.DELIVERED;
            world.send(signal, again -> {
                world.saw(again == first, Kind.SIGNAL_REPEATED);
                boolean another = again == SendSignal.Answer.KEPT || again == SendSignal.Answer.OTHER_BODY;
                Violation.unless(
                        !delivered || !another, "S6", "a signal that was delivered, sent again, was %s", again);
            });
        });
    }

    /** Approves the gates of a run, and takes some of it back. */
    void changeMind(String run) {
        if (world.chance(60)) {
            signalTwice(run);
        }
        if (world.chance(60)) {
            world.send(
                    new ExtendDeadline(run, world.now() + world.between(0, 90 * World.SECOND)),
                    answer -> world.saw(answer == ExtendDeadline.Answer.EXTENDED, Kind.DEADLINE_EXTENDED));
        }
        if (world.chance(40)) {
            mend(run);
        }
        for (Step step : world.checker.tally().run(run).workflow.steps()) {
            world.send(
                    new ApproveStep(run, step.id(), "somebody", null),
                    answer -> world.saw(answer == ApproveStep.Answer.APPROVED, Kind.APPROVED));
            if (world.chance(70)) {
                world.send(
                        new RevokeApproval(run, step.id(), "somebody", "wait"),
                        answer -> world.saw(answer == RevokeApproval.Answer.REVOKED, Kind.REVOKED));
            }
        }
    }
}
