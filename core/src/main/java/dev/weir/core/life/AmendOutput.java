package dev.weir.core.life;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Move;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import tools.jackson.databind.JsonNode;

/**
 * Amends the output of a step. The output either did not match the step's schema, or belongs to an ended step and lacks
 * data that another step requires. A step that has failed or was skipped keeps that state, and has an output.
 *
 * @param by the person who amends it
 */
public record AmendOutput(String run, String step, JsonNode output, String by) implements Command<AmendOutput.Answer> {
    /** The answer to the person. */
    public sealed interface Answer {
        /** The step has this output now, or had it before. */
        record Amended() implements Answer {}

        /** The new output does not match the schema either. */
        record DoesNotFit(String reason) implements Answer {}

        /** The step has an output that needs no correction, or has none yet. */
        record NotWaiting() implements Answer {}

        /** Items of a step are still being created from the current outputs. */
        record MakingItems() implements Answer {}

        record NotFound() implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!(org.find(UnitId.of(run, step)) instanceof RunStep found)) {
            return new Answer.NotFound();
        }
        boolean invalid = found.waitsFor == AwaitedEvent.INVALID_ARTIFACT;
        if (!invalid && !lacksSomething(found)) {
            boolean before = found.state.ended() && new Update.Completed(output).equals(found.last);
            return before ? new Answer.Amended() : new Answer.NotWaiting();
        }
        if (!invalid && found.run.makesItems()) {
            return new Answer.MakingItems();
        }
        String misfit = org.remedies.misfit(found, output);
        if (misfit != null) {
            return new Answer.DoesNotFit(misfit);
        }
        if (invalid) {
            found.detail = found.detail.lacking(null);
            org.steps.complete(found, new Update.Completed(output), now);
            org.steps.carryOn(found.run, now);
        } else {
            amend(org, found, now);
        }
        return new Answer.Amended();
    }

    private void amend(Organisation org, RunStep found, long now) {
        found.last = new Update.Completed(output);
        found.run.resultChanged(found);
        org.moves.add(new Move.OutputAmended(found.run().ref, found.row(), by, now));
        org.remedies.inputMended(found.run, now);
    }

    /** True if a step waits for data that the output of this one should have. */
    private static boolean lacksSomething(RunStep found) {
        if (!found.state.ended()) {
            return false;
        }
        for (RunStep other : found.run.steps) {
            if (other.waitsFor == AwaitedEvent.MISSING_INPUT && requires(other, found)) {
                return true;
            }
        }
        return false;
    }

    private static boolean requires(RunStep other, RunStep found) {
        return other.planned.definition().preconditions().requires().stream()
                .map(path -> path.segments())
                .anyMatch(path -> path.getFirst().equals("steps") && path.get(1).equals(found.planned.id()));
    }
}
