package dev.weir.engine.journal;

import dev.weir.core.state.OrganisationRows;

/**
 * An organisation as it was read from the store.
 *
 * @param now the store's time at the read, in microseconds; it is never behind the newest time in the rows
 */
public record LoadedRows(OrganisationRows rows, long now) {}
