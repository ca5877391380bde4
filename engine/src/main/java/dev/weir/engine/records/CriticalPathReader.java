package dev.weir.engine.records;

import dev.weir.core.definition.Compensation;
import dev.weir.core.explain.CriticalPath;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.WaitEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Computes where the time of a run went, from the records of the run and its steps. */
final class CriticalPathReader {
    private CriticalPathReader() {}

    static Optional<CriticalPath> of(Records records, String org, RunRecord run) {
        Instant ended = run.times().endedAt();
        if (ended == null) {
            return Optional.empty();
        }
        JsonNode definedSteps = definition(records, org, run);
        Map<String, List<String>> needs = needs(definedSteps);
        List<CriticalPath.StepTiming> steps = new ArrayList<>();
        for (StepRecord step : records.steps(org, run.run())) {
            Instant at = step.times().endedAt();
            if (at != null) {
                String id = step.unit().step();
                steps.add(ofStep(step, lastItem(records, org, step), needs.getOrDefault(id, List.of()), at));
            }
        }
        Instant started = run.times().startedAt();
        var ofRun = new CriticalPath.RunTiming(
                Moment.of(run.times().acceptedAt()),
                started == null ? null : (Long) Moment.of(started),
                Moment.of(ended),
                run.waited());
        return Optional.of(CriticalPath.of(ofRun, steps, compensations(records, org, run, definedSteps)));
    }

    private static JsonNode definition(Records records, String org, RunRecord run) {
        return records.findWorkflow(org, run.workflow(), run.version())
                .orElseThrow(
                        () -> new IllegalStateException("expected workflow " + run.workflow() + " v" + run.version()))
                .definition()
                .path("steps");
    }

    /** The compensations of a run that have ended. */
    private static List<CriticalPath.StepTiming> compensations(
            Records records, String org, RunRecord run, JsonNode definedSteps) {
        List<CriticalPath.StepTiming> compensations = new ArrayList<>();
        for (JsonNode step : definedSteps) {
            if (step.has("compensate")) {
                UnitId id = UnitId.of(run.run(), step.get("id").stringValue() + Compensation.SUFFIX);
                records.findStep(org, id)
                        .filter(compensation -> compensation.times().endedAt() != null)
                        .ifPresent(compensation -> compensations.add(ofStep(
                                compensation,
                                null,
                                List.of(),
                                Objects.requireNonNull(compensation.times().endedAt()))));
            }
        }
        return compensations;
    }

    private static Map<String, List<String>> needs(JsonNode steps) {
        Map<String, List<String>> needs = new HashMap<>();
        for (JsonNode step : steps) {
            List<String> of = new ArrayList<>();
            step.path("needs").forEach(need -> of.add(need.stringValue()));
            needs.put(step.get("id").stringValue(), of);
        }
        return needs;
    }

    private static @Nullable StepRecord lastItem(Records records, String org, StepRecord step) {
        return step.items() == null
                ? null
                : records.lastItem(org, step.unit().run(), step.unit().step()).orElse(null);
    }

    private static CriticalPath.StepTiming ofStep(
            StepRecord step, @Nullable StepRecord item, List<String> needs, Instant ended) {
        List<WaitEntry> waited = new ArrayList<>(step.waited());
        if (item != null) {
            waited.addAll(item.waited());
        }
        return new CriticalPath.StepTiming(
                step.unit().step(),
                needs,
                item == null ? null : (Integer) item.unit().item(),
                (item == null ? step : item).fence() > 0,
                Moment.of(ended),
                waited);
    }
}
