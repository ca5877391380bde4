package dev.weir.core.run;

import dev.weir.core.command.RunLookup;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.RunRow;
import java.util.Optional;

/** Finds runs for the controls that commands about runs and requests of workers use. */
abstract class LiveRunLookup implements RunLookup {
    final LiveOrganisation org;

    LiveRunLookup(LiveOrganisation org) {
        this.org = org;
    }

    @Override
    public boolean isLive(String run) {
        return org.runs.contains(run);
    }

    @Override
    public Optional<RunRow> findRun(String run) {
        return Optional.ofNullable(org.runs.find(run)).map(Run::row);
    }

    @Override
    public Optional<EndedRun> findEnded(String run) {
        return org.endedRuns.find(run);
    }
}
