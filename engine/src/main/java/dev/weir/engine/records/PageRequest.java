package dev.weir.engine.records;

/**
 * A request for one page of a list.
 *
 * @param cursor end of the previous page; empty for the first page
 */
public record PageRequest(String cursor, int limit) {
    public PageRequest {
        if (limit < 1 || limit > Records.PAGE_MAX) {
            throw new IllegalArgumentException("limit must be from 1 to " + Records.PAGE_MAX + ", found " + limit);
        }
    }
}
