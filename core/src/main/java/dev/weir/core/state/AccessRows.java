package dev.weir.core.state;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows that say who may do what in an organisation, and where its audit ends.
 *
 * @param tokens the valid tokens, by name
 * @param auditHead the end of the audit chain
 */
public record AccessRows(SortedMap<String, TokenRow> tokens, AuditHead auditHead) {
    public static final AccessRows NONE = new AccessRows(new TreeMap<>(), AuditHead.EMPTY);

    public AccessRows {
        tokens = Collections.unmodifiableSortedMap(new TreeMap<>(tokens));
    }
}
