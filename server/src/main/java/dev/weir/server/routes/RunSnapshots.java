package dev.weir.server.routes;

import dev.weir.api.Work.EngineState;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.engine.records.Records;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.view.RunViews;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads snapshots of runs: from memory while a run is live, from its rows after it has ended. */
record RunSnapshots(EngineGateway engine) {
    Optional<EngineState> find(String org, String run)
            throws ExecutionException, TimeoutException, InterruptedException {
        Optional<OrganisationQueries.RunSnapshot> live =
                engine.query(org, (organisation, now) -> new OrganisationQueries(organisation, now).snapshot(run));
        if (live.isPresent()) {
            return live.map(snapshot -> RunViews.snapshot(run, snapshot));
        }
        Records records = engine.weir().records();
        return records.findRun(org, run).map(found -> RunViews.snapshot(found, records.steps(org, run)));
    }

    /**
     * Reads the snapshot that goes with a committed claim or report. If it cannot be read now, the response leaves
     * it out, because the worker must learn what was committed.
     */
    @Nullable
    EngineState findAfterCommit(String org, String run)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            return find(org, run).orElse(null);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            if (RefusedRequest.from(e).retryAfter() == null) {
                throw e;
            }
            return null;
        }
    }
}
