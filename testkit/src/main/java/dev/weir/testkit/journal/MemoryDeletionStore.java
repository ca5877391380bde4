package dev.weir.testkit.journal;

import dev.weir.core.state.Attribution;
import dev.weir.engine.organisations.DeletionStore;
import dev.weir.engine.organisations.OrganisationStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Deletions of organisations in memory. They are only noted: nothing is deleted. */
public final class MemoryDeletionStore implements DeletionStore {
    private final OrganisationStore organisations;
    private final List<Deletion> noted = new ArrayList<>();

    public MemoryDeletionStore(OrganisationStore organisations) {
        this.organisations = organisations;
    }

    @Override
    public synchronized BeginOutcome begin(String org, Attribution by) {
        var found = organisations.findOrganisation(org);
        if (found.isEmpty()) {
            return BeginOutcome.NOT_FOUND;
        }
        if (found.get().suspension() == null) {
            return BeginOutcome.NOT_SUSPENDED;
        }
        noted.addFirst(new Deletion("organisation-" + org, org, null, 0, Instant.EPOCH, null));
        return BeginOutcome.BEGUN;
    }

    @Override
    public synchronized List<Deletion> ofOrganisations() {
        return List.copyOf(noted);
    }

    @Override
    public List<Deletion> ofRuns(String org) {
        return List.of();
    }

    @Override
    public boolean continueOne() {
        return false;
    }
}
