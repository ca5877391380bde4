package dev.weir.engine.records;

/**
 * Which page.
 *
 * @param cursor where the page before ended; empty for the first
 */
public record PageRequest(String cursor, int limit) {
    public PageRequest {
        if (limit < 1 || limit > Records.PAGE_MAX) {
            throw new IllegalArgumentException("limit must be from 1 to " + Records.PAGE_MAX + ", found " + limit);
        }
    }
}
