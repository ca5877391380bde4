package dev.weir.testkit.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;

/** Runs the log store contract on the log store in memory. */
class MemoryLogStoreTest extends LogStoreContract {
    private final MemoryJournal journal = new MemoryJournal();

    @Override
    protected Journal journal() {
        return journal;
    }

    @Override
    protected Records records() {
        return journal.records();
    }

    @Override
    protected String newOrganisation() {
        journal.with("acme");
        return "acme";
    }
}
