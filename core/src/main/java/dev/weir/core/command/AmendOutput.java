package dev.weir.core.command;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Amends the output of a step. The output either did not match the step's schema, or belongs to an ended step and lacks
 * data that another step requires. A step that has failed or was skipped keeps that state, and has an output.
 *
 * @param by the person who amends it
 */
public record AmendOutput(String run, String step, JsonNode output, String by)
        implements StepCommand<AmendOutput.Answer> {
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
    public UnitId unit() {
        return UnitId.of(run, step);
    }

    @Override
    public JsonNode data() {
        return output;
    }

    @Override
    public Answer decide(StepControl steps, long now) {
        StepRow found = steps.findStep(unit()).orElse(null);
        if (found == null) {
            return new Answer.NotFound();
        }
        boolean invalid = found.waitsFor() == AwaitedEvent.INVALID_ARTIFACT;
        if (!invalid && !(found.state().ended() && steps.hasMissingOutputData(unit()))) {
            boolean isRepeat = found.state().ended() && new Update.Completed(output).equals(found.lastOutcome());
            return isRepeat ? new Answer.Amended() : new Answer.NotWaiting();
        }
        if (!invalid && steps.isCreatingItems(run)) {
            return new Answer.MakingItems();
        }
        Optional<String> misfit = steps.findMisfit(unit(), output);
        if (misfit.isPresent()) {
            return new Answer.DoesNotFit(misfit.get());
        }
        if (invalid) {
            steps.completeWith(unit(), output, now);
        } else {
            steps.amendOutput(unit(), output, by, now);
        }
        return new Answer.Amended();
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        StepRow found = org.steps().findStep(unit()).orElse(null);
        if (found == null) {
            return null;
        }
        ObjectNode json = AuditValues.step(found);
        Update last = found.lastOutcome();
        if (last != null && last.data() != null) {
            json.set("output", last.data());
        }
        return json;
    }
}
