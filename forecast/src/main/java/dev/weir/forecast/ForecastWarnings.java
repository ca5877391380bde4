package dev.weir.forecast;

import dev.weir.core.definition.DurationText;
import dev.weir.forecast.Forecast.End;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Collects warnings that readers of a forecast should know before they trust it. */
final class ForecastWarnings {
    private static final Pattern STEP_REFERENCE = Pattern.compile("\\bsteps\\.([\\w-]+)");

    private final Forecast forecast;
    private final List<String> warnings = new ArrayList<>();

    private ForecastWarnings(Forecast forecast) {
        this.forecast = forecast;
    }

    static List<String> of(Forecast forecast) {
        var warnings = new ForecastWarnings(forecast);
        warnings.addEndWarning();
        warnings.warnings.addAll(forecast.stuck());
        warnings.addRunWarnings(forecast.runs());
        forecast.steps().forEach(warnings::addStepWarnings);
        return warnings.warnings;
    }

    private void addEndWarning() {
        long unfinished = forecast.unfinished();
        String unfinishedRuns = unfinished == 1 ? "a run has" : unfinished + " runs have";
        switch (forecast.end()) {
            case DONE -> {}
            case STUCK -> add("the simulation is stuck: nothing more can happen, but " + unfinishedRuns + " not ended");
            case EVENTS_MAX ->
                add("the simulation stopped after " + forecast.events() + " events, its maximum, and " + unfinishedRuns
                        + " not ended; simulate fewer runs or fewer items");
            case TIME_MAX ->
                add("the simulation stopped after ten years of virtual time, and " + unfinishedRuns
                        + " not ended; simulate fewer runs, or look for a rate that is too low");
        }
    }

    private void addRunWarnings(StepStatistics runs) {
        boolean hasStepError =
                forecast.steps().stream().anyMatch(step -> step.error().isPresent());
        String why = hasStepError ? "" : runs.error().map(error -> ": " + error).orElse("");
        if (runs.failed() > 0) {
            add(count(runs.failed(), runs.units(), "run") + " failed" + why);
        }
        if (runs.cancelled() > 0) {
            add(count(runs.cancelled(), runs.units(), "run") + " was cancelled" + why);
        }
    }

    private void addStepWarnings(StepStatistics step) {
        String name = "step " + step.id();
        String error = step.error().orElse("");
        if (step.failed() > 0) {
            add(count(step.failed(), step.units(), name) + " failed: " + error);
        } else if (!error.isEmpty()) {
            add(name + " failed; its run is paused until an operator resumes it: " + error);
        }
        suggestOutputs(error);
        if (step.timeouts() > 0) {
            var timeout =
                    forecast.scenario().workflow().step(step.id()).attempts().timeout();
            String times = step.timeouts() == 1 ? "once" : step.timeouts() + " times";
            add(name + " timed out " + times + ": it took longer than its timeout of " + DurationText.format(timeout));
        }
        if (step.units() == 0 && forecast.runs().starts() > 0) {
            add(name + " never became ready");
        } else if (forecast.end() != End.DONE && step.starts() == 0 && step.units() > step.skipped()) {
            add(name + " never started");
        }
    }

    /** Suggests an output in the durations file for each step that a failed expression reads. */
    private void suggestOutputs(String error) {
        var names = new TreeSet<String>();
        STEP_REFERENCE.matcher(error).results().forEach(match -> names.add(match.group(1)));
        for (String name : names) {
            boolean isGiven = forecast.scenario().behaviour().hasOutput(name);
            String source = isGiven ? " comes from the durations file" : " is sample data";
            add("the output of step " + name + source + "; set it in the durations file with " + name
                    + ": { output: ... }");
        }
    }

    private static String count(long some, long all, String what) {
        return some == all ? (all == 1 ? what : "every " + what) : some + " of " + all + " × " + what;
    }

    private void add(String warning) {
        warnings.add(warning);
    }
}
