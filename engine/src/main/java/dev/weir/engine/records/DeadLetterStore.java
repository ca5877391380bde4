package dev.weir.engine.records;

import java.util.Optional;

/** Reads dead letters. Safe for use by many threads. */
public interface DeadLetterStore {
    /** The number of dead letters that are examined for one page, however few of them match the filter. */
    int LETTERS_EXAMINED_MAX = 5_000;

    /** Dead letters, newest first, without what was submitted. A page may be short or empty, and still be followed by another one. */
    RecordPage<DeadLetterRecord> deadLetters(String org, DeadLetterFilter filter, PageRequest page);

    Optional<DeadLetterRecord> findDeadLetter(String org, long number);
}
