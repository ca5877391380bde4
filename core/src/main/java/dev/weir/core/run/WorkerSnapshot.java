package dev.weir.core.run;

import java.util.List;

/**
 * The present state of a worker.
 *
 * @param modules the modules that it polled for last, or of which it has claims
 * @param since the time of its first request, or of its oldest claim
 * @param lastSeenAt the time when it was last heard: a poll, a claim, a heartbeat or a report
 * @param running number of its live claims
 * @param polls number of its open polls
 * @param freePlaces number of claims that its open polls ask for
 * @param places number of claims that it can have at once, as far as its polls and claims show
 */
public record WorkerSnapshot(
        String name,
        List<String> modules,
        long since,
        long lastSeenAt,
        int running,
        int polls,
        int freePlaces,
        int places) {
    public WorkerSnapshot {
        modules = List.copyOf(modules);
    }
}
