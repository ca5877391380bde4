package dev.weir.core.state;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows that say who may do what in an organisation, where its audit ends, and what must not start.
 *
 * @param tokens the valid tokens, by name
 * @param auditHead the end of the audit chain
 * @param secrets the secrets by name, without values
 * @param stops what must not start
 */
public record AccessRows(
        SortedMap<String, TokenRow> tokens, AuditHead auditHead, SortedMap<String, SecretRow> secrets, StopRows stops) {
    public static final AccessRows NONE =
            new AccessRows(new TreeMap<>(), AuditHead.EMPTY, new TreeMap<>(), StopRows.NONE);

    public AccessRows {
        tokens = Collections.unmodifiableSortedMap(new TreeMap<>(tokens));
        secrets = Collections.unmodifiableSortedMap(new TreeMap<>(secrets));
    }
}
