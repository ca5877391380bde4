package dev.weir.core.command;

import dev.weir.core.plan.ConcurrencyProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A worker's poll for work. The next advance that has work for the worker answers it, or {@link EndPoll} ends it. A repeated request id gets the same claims.
 *
 * @param limit the maximum number of claims
 * @param lease the time that a claim lasts without a heartbeat, in microseconds
 */
public record ClaimWork(String request, String worker, List<ServedModule> modules, int limit, long lease)
        implements WorkerCommand<ClaimWork.Answer> {
    /** The maximum number of claims that one request can be given. */
    public static final int CLAIMS_MAX = 500;
    /** The shortest lease, in microseconds. */
    public static final long LEASE_MIN = 5_000_000;
    /** The longest lease, in microseconds. */
    public static final long LEASE_MAX = 3_600_000_000L;

    public ClaimWork {
        modules = List.copyOf(modules);
        requireBounds(limit, lease);
        if (modules.isEmpty()) {
            throw new IllegalArgumentException("a worker must serve at least one module, found none");
        }
    }

    static void requireBounds(int limit, long lease) {
        if (limit < 1 || limit > CLAIMS_MAX) {
            throw new IllegalArgumentException("limit must be from 1 to " + CLAIMS_MAX + ", found " + limit);
        }
        if (lease < LEASE_MIN || lease > LEASE_MAX) {
            throw new IllegalArgumentException("a lease must be from 5 s to 1 h, found " + lease + " µs");
        }
    }

    /**
     * A module that the worker serves.
     *
     * @param profile the demands that the module's steps make on their run if they do not define their own
     */
    public record ServedModule(String module, @Nullable ConcurrencyProfile profile) {
        public ServedModule(String module) {
            this(module, null);
        }
    }

    /** The immediate answer to the worker. */
    public sealed interface Answer {
        /** The poll waits; an advance will answer it. */
        record Waiting() implements Answer {}

        /** The request was answered before. The list has those of its claims that are still live. */
        record Repeated(List<Assignment> assignments) implements Answer {}
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public @Nullable String describeTarget() {
        return null;
    }

    @Override
    public Answer decide(WorkControl work, long now) {
        List<Assignment> before = work.claimsOf(request);
        if (!before.isEmpty()) {
            return new Answer.Repeated(before);
        }
        if (!work.isPolling(request)) {
            work.openPoll(this, now);
        }
        return new Answer.Waiting();
    }
}
