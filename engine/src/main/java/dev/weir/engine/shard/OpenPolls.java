package dev.weir.engine.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The open polls of workers. They outlive the memory of their organisation: after a reload they ask again. Two polls
 * with the same request id receive the same answer.
 */
final class OpenPolls {
    private final Map<String, Map<String, List<ClaimMessage>>> byOrg = new HashMap<>();
    private final TreeSet<ClaimMessage> byExpiry =
            new TreeSet<>(Comparator.<ClaimMessage>comparingLong(message -> message.until)
                    .thenComparingLong(message -> message.sequence));

    /** The next place in the order; 0 is reserved for polls that were never opened. */
    private long nextSequence = 1;

    void open(ClaimMessage message) {
        List<ClaimMessage> callers = byOrg.computeIfAbsent(message.org, ignored -> new LinkedHashMap<>())
                .computeIfAbsent(message.work.request(), ignored -> new ArrayList<>(1));
        if (!callers.contains(message)) {
            callers.forEach(earlier -> shorten(earlier, message.until));
            callers.add(message);
            message.sequence = nextSequence;
            nextSequence++;
            byExpiry.add(message);
        }
    }

    /** Shortens an earlier poll with the same request id: the newest poll determines how long the worker waits. */
    private void shorten(ClaimMessage earlier, long until) {
        if (until < earlier.until && byExpiry.remove(earlier)) {
            earlier.until = until;
            byExpiry.add(earlier);
        }
    }

    /** One poll of each request of an organisation. */
    List<ClaimMessage> of(String org) {
        List<ClaimMessage> first = new ArrayList<>();
        byOrg.getOrDefault(org, Map.of()).values().forEach(callers -> first.add(callers.getFirst()));
        return first;
    }

    /** True if the poll is still open. */
    boolean isOpen(ClaimMessage message) {
        Map<String, List<ClaimMessage>> requests = byOrg.get(message.org);
        List<ClaimMessage> callers = requests == null ? null : requests.get(message.work.request());
        return callers != null && callers.contains(message);
    }

    boolean hasAny(String org) {
        return byOrg.containsKey(org);
    }

    /** Closes a request, and returns the polls that waited for it. */
    List<ClaimMessage> close(String org, String request) {
        Map<String, List<ClaimMessage>> requests = byOrg.get(org);
        List<ClaimMessage> callers = requests == null ? null : requests.remove(request);
        if (requests == null || callers == null) {
            return List.of();
        }
        callers.forEach(byExpiry::remove);
        if (requests.isEmpty()) {
            byOrg.remove(org);
        }
        return callers;
    }

    /** The earliest time at which a poll ends, by the monotonic clock. */
    long nextExpiry() {
        return byExpiry.isEmpty() ? Long.MAX_VALUE : byExpiry.first().until;
    }

    /** Removes a poll that ended or whose caller has gone. Returns true if it was the last of its request. */
    boolean remove(ClaimMessage message) {
        byExpiry.remove(message);
        Map<String, List<ClaimMessage>> requests = byOrg.get(message.org);
        List<ClaimMessage> callers = requests == null ? null : requests.get(message.work.request());
        if (callers == null || !callers.remove(message) || !callers.isEmpty()) {
            return false;
        }
        close(message.org, message.work.request());
        return true;
    }

    /** Ends the wait of a poll whose caller has gone. */
    void expireNow(ClaimMessage message) {
        if (byExpiry.remove(message)) {
            message.until = Long.MIN_VALUE;
            byExpiry.add(message);
        }
    }

    /** The polls whose waiting time is over. */
    List<ClaimMessage> expired(long monotonicNow) {
        List<ClaimMessage> expired = new ArrayList<>();
        for (ClaimMessage message : byExpiry) {
            if (message.until > monotonicNow) {
                break;
            }
            expired.add(message);
        }
        return expired;
    }

    List<ClaimMessage> all() {
        return new ArrayList<>(byExpiry);
    }

    void clear() {
        byOrg.clear();
        byExpiry.clear();
    }
}
