package dev.weir.core.run;

import dev.weir.core.command.StopControl;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.core.state.StopRows;
import dev.weir.core.state.Suspension;
import dev.weir.core.state.WorkflowAvailability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The suspension of an organisation, and its workflows that are paused or archived. A paused workflow is a pause of the
 * limit that all of its runs share, so waiting runs cost nothing.
 */
final class StopSettings implements StopControl {
    private final OperatorSettings operatorSettings;
    private final MoveCollector moves;
    private final TimerQueue timers;
    /** Triggers that became due while the organisation was suspended. They are due again when it is resumed. */
    private final List<Timer> heldTimers = new ArrayList<>();

    private StopRows rows = StopRows.NONE;
    private String lastDeletion = "";

    StopSettings(OperatorSettings operatorSettings, MoveCollector moves, TimerQueue timers) {
        this.timers = timers;
        this.operatorSettings = operatorSettings;
        this.moves = moves;
    }

    void restore(StopRows stored) {
        rows = stored;
        stored.workflows().forEach(this::apply);
    }

    StopRows rows() {
        return rows;
    }

    boolean isSuspended() {
        return rows.suspension() != null;
    }

    boolean isPaused(String workflow) {
        return availability(workflow) == WorkflowAvailability.PAUSED;
    }

    boolean isArchived(String workflow) {
        return availability(workflow) == WorkflowAvailability.ARCHIVED;
    }

    Optional<String> findStartRefusal(String workflow) {
        if (isSuspended()) {
            return Optional.of(
                    "the organisation is suspended; start the run again when an administrator has resumed it");
        }
        return isArchived(workflow)
                ? Optional.of("workflow " + workflow + " is archived; open it before you start runs of it")
                : Optional.empty();
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.ofNullable(rows.suspension());
    }

    @Override
    public void changeSuspension(@Nullable Suspension suspension, long now) {
        record(new Move.SuspensionChanged(suspension, now));
        if (suspension == null) {
            heldTimers.forEach(timer -> timers.schedule(timer, now));
            heldTimers.clear();
        }
    }

    /** Holds a trigger that is due until the organisation is resumed. Returns false if it is not suspended. */
    boolean isHeld(Timer timer) {
        return isSuspended() && heldTimers.add(timer);
    }

    @Override
    public WorkflowAvailability availability(String workflow) {
        return rows.workflows().getOrDefault(workflow, WorkflowAvailability.OPEN);
    }

    @Override
    public void changeAvailability(String workflow, WorkflowAvailability availability, long now) {
        record(new Move.AvailabilityChanged(workflow, availability, now));
        apply(workflow, availability);
    }

    @Override
    public void orderDeletion(String id, String run, long now) {
        lastDeletion = id;
        moves.add(new Move.DeletionOrdered(id, run, now));
    }

    @Override
    public boolean hasOrderedDeletion(String id) {
        return id.equals(lastDeletion);
    }

    private void record(Move.OfStops move) {
        rows = rows.after(move);
        moves.add(move);
    }

    private void apply(String workflow, WorkflowAvailability availability) {
        operatorSettings.stop(new LimitId.WorkflowRuns(workflow), availability == WorkflowAvailability.PAUSED);
    }
}
