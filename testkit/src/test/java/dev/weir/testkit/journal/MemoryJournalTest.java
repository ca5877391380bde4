package dev.weir.testkit.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;

/** Runs the journal contract on the journal in memory. */
class MemoryJournalTest extends JournalContract {
    private final MemoryJournal journal = new MemoryJournal();
    private int made;

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
        made++;
        journal.with("org-" + made);
        return "org-" + made;
    }
}
