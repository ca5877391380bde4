package dev.weir.core.command;

import dev.weir.core.state.EndedRun;
import dev.weir.core.state.RunRow;
import java.util.Optional;

/** Finds runs for commands. */
public interface RunLookup {
    boolean isLive(String run);

    /** Finds a live run. */
    Optional<RunRow> findRun(String run);

    /** Finds a run that has ended, as long as it is remembered. */
    Optional<EndedRun> findEnded(String run);
}
