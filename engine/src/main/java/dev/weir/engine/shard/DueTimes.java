package dev.weir.engine.shard;

import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The times at which organisations are due, for those in memory and those not loaded. */
final class DueTimes {
    private final Map<String, Long> byOrg = new HashMap<>();
    private final TreeSet<Due> byTime = new TreeSet<>();

    private record Due(long at, String org) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : org.compareTo(other.org);
        }
    }

    void set(String org, long at) {
        Long before = at == Moment.NEVER ? byOrg.remove(org) : byOrg.put(org, at);
        if (before != null) {
            byTime.remove(new Due(before, org));
        }
        if (at != Moment.NEVER) {
            byTime.add(new Due(at, org));
        }
    }

    boolean contains(String org) {
        return byOrg.containsKey(org);
    }

    /** The earliest due time; {@link Moment#NEVER} if there is none. */
    long next() {
        return byTime.isEmpty() ? Moment.NEVER : byTime.first().at;
    }

    /** The organisations that are due, the earliest first. */
    List<String> due(long now) {
        List<String> due = new ArrayList<>();
        for (Due first : byTime) {
            if (first.at > now) {
                break;
            }
            due.add(first.org);
        }
        return due;
    }

    void clear() {
        byOrg.clear();
        byTime.clear();
    }
}
