package dev.weir.core.life;

import tools.jackson.databind.JsonNode;

/**
 * Mends the output of a step: one that did not fit what the step says of it, or one of a step that has ended, in which
 * something is missing that another requires. A step that has failed or was skipped stays that, and has an output.
 *
 * @param by who
 */
public record AmendOutput(String run, String step, JsonNode output, String by) implements Command<AmendOutput.Answer> {
    /** What the person is told. */
    public sealed interface Answer {
        /** This is its output now, or was before. */
        record Amended() implements Answer {}

        /** The output does not fit either. */
        record DoesNotFit(String reason) implements Answer {}

        /** The step has an output with which nothing is wrong, or has none yet. */
        record NotWaiting() implements Answer {}

        /** Items of a step are still being made from the outputs that there are. */
        record MakingItems() implements Answer {}

        record NotFound() implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!(org.find(UnitId.of(run, step)) instanceof RunStep found)) {
            return new Answer.NotFound();
        }
        boolean invalid = found.waitsFor == WaitsFor.INVALID_ARTIFACT;
        if (!invalid && !lacksSomething(found)) {
            boolean before = found.state.ended() && new Update.Completed(output).equals(found.last);
            return before ? new Answer.Amended() : new Answer.NotWaiting();
        }
        if (!invalid && found.run.makesItems()) {
            return new Answer.MakingItems();
        }
        String misfit = Remedies.misfit(found, output);
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

    /** Whether a step waits for something that this one's output should have. */
    private static boolean lacksSomething(RunStep found) {
        if (!found.state.ended()) {
            return false;
        }
        for (RunStep other : found.run.steps) {
            if (other.waitsFor == WaitsFor.MISSING_INPUT && requires(other, found)) {
                return true;
            }
        }
        return false;
    }

    private static boolean requires(RunStep other, RunStep found) {
        return other.planned.definition.preconditions().requires().stream()
                .map(path -> path.segments())
                .anyMatch(path -> path.getFirst().equals("steps") && path.get(1).equals(found.planned.id()));
    }
}
