package dev.weir.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes to follow.
 *
 * @param topics runs, steps, keys; empty = those that the other values suggest
 * @param run the run to follow, with its steps; absent = all runs
 * @param key the flow-control key to follow; absent = all keys
 */
public record StreamFilter(
        List<String> topics, @Nullable String run, @Nullable String key) {
    public StreamFilter {
        topics = List.copyOf(topics);
    }

    /** Follows all changes of the organisation. */
    public static StreamFilter all() {
        return new StreamFilter(List.of(), null, null);
    }

    /** Follows a run and its steps. */
    public static StreamFilter run(String run) {
        return new StreamFilter(List.of(), run, null);
    }

    /** Follows a flow-control key. */
    public static StreamFilter key(String key) {
        return new StreamFilter(List.of(), null, key);
    }

    /** Follows everything of these topics: runs, steps, keys. */
    public static StreamFilter topics(String... topics) {
        return new StreamFilter(List.of(topics), null, null);
    }
}
