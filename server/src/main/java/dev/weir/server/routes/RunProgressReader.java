package dev.weir.server.routes;

import dev.weir.api.Runs.RunProgress;
import dev.weir.api.Runs.RunSummary;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.OrganisationQueries.RunSnapshot;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.run.Organisation;
import dev.weir.engine.records.RunRecord;
import dev.weir.server.view.ReasonViews;
import dev.weir.server.view.RunViews;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Adds the progress of live runs, and what they wait for, to a list of runs. */
record RunProgressReader(EngineGateway engine) {
    /** Steps that one list looks at. It bounds the time that the question takes of the loop. */
    private static final int STEPS_MAX = 4_000;

    List<RunSummary> read(String org, List<RunRecord> runs)
            throws ExecutionException, TimeoutException, InterruptedException {
        List<String> live = runs.stream()
                .filter(run -> !run.state().ended())
                .map(RunRecord::run)
                .toList();
        Map<String, RunProgress> progress =
                live.isEmpty() ? Map.of() : engine.query(org, (organisation, now) -> progress(organisation, live, now));
        return runs.stream()
                .map(run -> RunViews.summary(run, progress.get(run.run())))
                .toList();
    }

    private static Map<String, RunProgress> progress(Organisation organisation, List<String> runs, long now) {
        var queries = new OrganisationQueries(organisation, now);
        Map<String, RunProgress> all = new HashMap<>();
        int examined = 0;
        for (String run : runs) {
            RunSnapshot snapshot = examined < STEPS_MAX ? queries.snapshot(run).orElse(null) : null;
            if (snapshot != null) {
                examined += snapshot.steps().size();
                all.put(run, progress(snapshot));
            }
        }
        return all;
    }

    private static RunProgress progress(RunSnapshot run) {
        long ended = run.steps().values().stream()
                .filter(step -> step.state().ended())
                .count();
        var waiting = run.steps().values().stream()
                .map(OrganisationQueries.StepSnapshot::why)
                .filter(Objects::nonNull)
                .filter(why -> !(why instanceof WaitReason.Dependency) && !(why instanceof WaitReason.AlreadyRunning))
                .findFirst()
                .map(ReasonViews::of)
                .orElse(null);
        return new RunProgress(run.steps().size(), (int) ended, waiting);
    }
}
