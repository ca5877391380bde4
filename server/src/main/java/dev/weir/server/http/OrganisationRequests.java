package dev.weir.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds the requests that each organisation has under way. A request keeps its connection while it waits, for example
 * for work, so without a bound one organisation could occupy all connections of the node.
 */
final class OrganisationRequests {
    /** Requests that are always served: without them, work that was done would be lost. */
    private static final Set<String> UNBOUNDED = Set.of("/v1/updates", "/v1/heartbeats");

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final int requestsMax;
    private final Map<String, Integer> underWay = new ConcurrentHashMap<>();

    /**
     * Creates the bounds.
     *
     * @param requestsMax the most requests that one organisation may have under way
     */
    OrganisationRequests(int requestsMax) {
        this.requestsMax = requestsMax;
    }

    /** Handles a request of an organisation, unless too many others of it are under way. */
    Response handle(String path, String org, Endpoint endpoint, Request request) throws Exception {
        if (UNBOUNDED.contains(path)) {
            return endpoint.handle(request);
        }
        if (underWay.merge(org, 1, Integer::sum) > requestsMax) {
            leave(org);
            throw RefusedRequest.tooMany(
                    "expected at most " + requestsMax
                            + " requests of an organisation at once, found more; send fewer at once, or add a node",
                    RETRY_AFTER);
        }
        try {
            return endpoint.handle(request);
        } finally {
            leave(org);
        }
    }

    private void leave(String org) {
        underWay.computeIfPresent(org, (name, requests) -> requests == 1 ? null : requests - 1);
    }
}
