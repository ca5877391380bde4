package dev.weir.engine.organisations;

import dev.weir.core.state.Attribution;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The port to the deletions of all data of an organisation, or of one run. Safe for use by many threads. */
public interface DeletionStore {
    /** The most deletions in a list, newest first. */
    int LIST_MAX = 200;

    /**
     * A deletion.
     *
     * @param organisation the name of the organisation
     * @param run the id of the run; absent if all data of the organisation is deleted
     * @param rows the number of rows that are deleted
     * @param endedAt absent while it is under way
     */
    record Deletion(
            String id,
            String organisation,
            @Nullable String run,
            long rows,
            Instant beganAt,
            @Nullable Instant endedAt) {}

    /** The answer to the order to delete an organisation. */
    enum BeginOutcome {
        BEGUN,
        NOT_FOUND,
        NOT_SUSPENDED
    }

    /**
     * Begins to delete a suspended organisation. From then on, nobody can use it. The shard must not be open on this
     * node meanwhile (see {@code Weir.whileClosed}).
     */
    BeginOutcome begin(String org, Attribution by);

    /** The newest deletions of organisations. */
    List<Deletion> ofOrganisations();

    /** The newest deletions of runs of an organisation. */
    List<Deletion> ofRuns(String org);

    /** Carries out a part of an unfinished deletion. Returns false if there is none. */
    boolean continueOne();
}
