package dev.weir.core.explain;

import dev.weir.core.run.Organisation;
import dev.weir.core.state.Claim;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.WaitEntry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The waiting time of a live step.
 *
 * @param waited the finished waits, by cause
 * @param since the time from which the present wait counts; absent if it does not wait
 */
public record StepWaits(List<WaitEntry> waited, @Nullable Long since) {
    public StepWaits {
        waited = List.copyOf(waited);
    }

    static StepWaits of(Organisation org, StepRow step) {
        Optional<Claim> claim = org.findClaim(step.id());
        List<WaitEntry> own = step.detail().waited();
        return new StepWaits(
                claim.map(live -> WaitEntry.merge(own, live.waited())).orElse(own),
                presentSince(step, claim.isPresent()));
    }

    private static @Nullable Long presentSince(StepRow step, boolean claimed) {
        boolean waits =
                !claimed && step.state() != StepState.BLOCKED && !step.state().ended();
        if (!waits || step.state() == StepState.RUNNING) {
            return null;
        }
        StepRow.Waits present = step.detail().waits();
        return present == null || present.currentSince() == 0 ? step.since() : present.currentSince();
    }
}
