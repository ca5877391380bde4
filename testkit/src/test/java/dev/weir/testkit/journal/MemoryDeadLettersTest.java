package dev.weir.testkit.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;

/** Runs the contract of dead letters on the journal in memory. */
class MemoryDeadLettersTest extends DeadLetterContract {
    private final MemoryJournal journal = new MemoryJournal();
    private int created;

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
        created++;
        journal.with("org-" + created);
        return "org-" + created;
    }
}
