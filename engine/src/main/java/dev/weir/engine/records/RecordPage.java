package dev.weir.engine.records;

import java.util.List;

/**
 * One page of a list.
 *
 * @param next cursor of the next page; empty if there is none
 */
public record RecordPage<T>(List<T> entries, String next) {
    public RecordPage {
        entries = List.copyOf(entries);
    }
}
