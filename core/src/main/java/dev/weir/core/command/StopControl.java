package dev.weir.core.command;

import dev.weir.core.state.Suspension;
import dev.weir.core.state.WorkflowAvailability;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes what of an organisation may start. */
public interface StopControl {
    Optional<Suspension> suspension();

    /**
     * Suspends or resumes the organisation.
     *
     * @param suspension null = resume
     */
    void changeSuspension(@Nullable Suspension suspension, long now);

    /** Orders the deletion of the data of an ended run. */
    void orderDeletion(String id, String run, long now);

    /** True if that deletion was the last one that was ordered. */
    boolean hasOrderedDeletion(String id);

    WorkflowAvailability availability(String workflow);

    void changeAvailability(String workflow, WorkflowAvailability availability, long now);
}
