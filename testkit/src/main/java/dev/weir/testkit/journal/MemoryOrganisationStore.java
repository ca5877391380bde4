package dev.weir.testkit.journal;

import dev.weir.core.state.Attribution;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The organisations of a journal in memory. Their tokens are rows of the journal; this store creates and finds none. */
public final class MemoryOrganisationStore implements OrganisationStore {
    private final MemoryJournal journal;

    public MemoryOrganisationStore(MemoryJournal journal) {
        this.journal = journal;
    }

    @Override
    public OrganisationRecord createOrganisation(String name) {
        journal.with(name);
        return record(name);
    }

    @Override
    public Optional<OrganisationRecord> createOrganisation(String name, Attribution by) {
        return findOrganisation(name).isPresent() ? Optional.empty() : Optional.of(createOrganisation(name));
    }

    @Override
    public RenameOutcome rename(String name, String newName, Attribution by) {
        if (findOrganisation(name).isEmpty()) {
            return RenameOutcome.NOT_FOUND;
        }
        return journal.rename(name, newName) ? RenameOutcome.RENAMED : RenameOutcome.NAME_TAKEN;
    }

    private OrganisationRecord record(String name) {
        return new OrganisationRecord(
                name,
                journal.shardOf(name),
                Instant.EPOCH,
                journal.rows(name, 0).access().stops().suspension());
    }

    @Override
    public StarterLogin createStarter(String org, Attribution by) {
        return new StarterLogin("weir_starter_" + journal.shardOf(org), "password");
    }

    @Override
    public Optional<OrganisationRecord> findOrganisation(String name) {
        try {
            return Optional.of(record(name));
        } catch (NoSuchElementException e) {
            return Optional.empty();
        }
    }

    @Override
    public RecordPage<OrganisationRecord> list(PageRequest page) {
        List<OrganisationRecord> all = journal.names().stream()
                .sorted()
                .filter(name -> name.compareTo(page.cursor()) > 0)
                .map(this::record)
                .toList();
        boolean hasMore = all.size() > page.limit();
        List<OrganisationRecord> entries = hasMore ? all.subList(0, page.limit()) : all;
        return new RecordPage<>(entries, hasMore ? entries.getLast().name() : "");
    }

    @Override
    public String createToken(String org, String name) {
        throw new UnsupportedOperationException("tokens are rows of the journal");
    }

    @Override
    public Optional<Caller> findByToken(String token) {
        return Optional.empty();
    }

    @Override
    public void recordUses(Collection<String> tokens) {
        // Nobody reads them.
    }
}
