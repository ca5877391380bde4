package dev.weir.core.life;

import dev.weir.core.definition.DataPath;
import dev.weir.core.definition.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Steps that lack something which a person can mend: input that is missing, an output that does not fit. */
final class Remedies {
    private final Organisation org;

    Remedies(Organisation org) {
        this.org = org;
    }

    /** What a step whose needs have ended lacks of its run's input and of earlier outputs, in words. */
    static @Nullable String missing(RunStep step) {
        String misfit = step.run.inputMisfit();
        if (misfit != null) {
            return misfit;
        }
        for (DataPath path : step.planned.definition.preconditions().requires()) {
            if (isMissing(step.run, path.segments())) {
                return "expected " + path + ", found nothing there";
            }
        }
        return null;
    }

    private static boolean isMissing(Run run, List<String> path) {
        JsonNode node = path.getFirst().equals("input") ? run.input() : run.results();
        for (String name : path.subList(1, path.size())) {
            node = node.path(name);
        }
        return node.isMissingNode() || node.isNull();
    }

    /** Why an output does not fit what the step says of it, in words; absent = it fits. */
    static @Nullable String misfit(RunStep step, JsonNode output) {
        Schema schema = step.planned.definition.ending().outputSchema();
        return schema == null ? null : words(schema, output);
    }

    static @Nullable String words(Schema schema, JsonNode value) {
        List<String> misfits = schema.misfits(value);
        return misfits.isEmpty() ? null : String.join("; ", misfits);
    }

    /** Lets a step wait until it is mended; in a run that is on its way to its end nobody would, so it fails. */
    void await(RunStep step, WaitsFor remedy, String lacks, long now) {
        if (step.run.ending != null) {
            failUnmended(step, remedy, lacks, now);
        } else if (step.waitsFor != remedy) {
            step.detail = step.detail.lacking(lacks);
            org.steps.await(step, remedy, dev.weir.core.limit.Moment.NEVER, now);
        } else if (!lacks.equals(step.detail.lacks())) {
            step.detail = step.detail.lacking(lacks);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    private void failUnmended(RunStep step, WaitsFor remedy, @Nullable String lacks, long now) {
        step.last = new Update.Failed(remedy.word() + ": " + lacks, true);
        org.steps.end(step, StepState.FAILED, now);
    }

    /** The run of a step is on its way to its end, and nobody will do what it waits for. */
    void giveUp(RunStep step, long now) {
        WaitsFor remedy = step.waitsFor;
        if (remedy == WaitsFor.MISSING_INPUT || remedy == WaitsFor.INVALID_ARTIFACT) {
            failUnmended(step, remedy, step.detail.lacks(), now);
        } else if (remedy == WaitsFor.OPERATOR) {
            org.steps.end(step, StepState.FAILED, now);
        }
    }

    /** The input of a run was mended: looks again at the steps that lacked some. */
    void inputMended(Run run, long now) {
        for (RunStep step : run.steps) {
            if (step.waitsFor == WaitsFor.MISSING_INPUT) {
                org.steps.considerAgain(step);
            }
        }
        org.steps.carryOn(run, now);
    }
}
