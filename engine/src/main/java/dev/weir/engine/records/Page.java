package dev.weir.engine.records;

import java.util.List;

/**
 * A page of something.
 *
 * @param next the cursor of the next page; empty if there is none
 */
public record Page<T>(List<T> entries, String next) {
    public Page {
        entries = List.copyOf(entries);
    }
}
