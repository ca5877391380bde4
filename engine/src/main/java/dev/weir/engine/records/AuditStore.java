package dev.weir.engine.records;

import dev.weir.core.state.AuditEntry;
import java.util.List;

/** Reads audit chains. Safe for use by many threads. */
public interface AuditStore {
    /** The name that stands for the administration of the node, instead of an organisation. */
    String ADMINISTRATION = "";

    /** The number of entries that are examined for one page, however few of them match the filter. */
    int ENTRIES_EXAMINED_MAX = 5_000;

    /** Entries, newest first. A page may be short or empty, and still be followed by another one. */
    RecordPage<AuditEntry> entries(String org, AuditFilter filter, PageRequest page);

    /**
     * The newest entry of each action on each target, in no order. Only the newest {@link #ENTRIES_EXAMINED_MAX} entries
     * are examined.
     */
    List<AuditEntry> newest(String org, List<String> actions, List<String> targets);

    /** The entries after that number in the order of the chain, as they are stored. */
    List<AuditEntry> chain(String org, long after, int limit);
}
