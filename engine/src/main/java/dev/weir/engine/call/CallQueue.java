package dev.weir.engine.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A fair queue for the places of calls. Organisations with calls take turns, one place at a time. An organisation may
 * have at most twice as many places as are free. So one that takes all it can get leaves a third, two leave a fifth,
 * and the next organisation finds a place.
 */
final class CallQueue {
    private static final int HELD_PER_FREE = 2;

    private int free;
    /** Organisations that want a place, the next one first. */
    private final Set<String> waiting = new LinkedHashSet<>();
    /** Organisations whose claim request is in progress, and those of them that signalled again meanwhile. */
    private final Set<String> asked = new HashSet<>();

    private final Set<String> again = new HashSet<>();
    private final Map<String, Integer> held = new HashMap<>();

    CallQueue(int places) {
        this.free = places;
    }

    /** The places that an organisation was given. */
    record Share(String org, int places) {}

    synchronized void wants(String org) {
        if (asked.contains(org)) {
            again.add(org);
        } else {
            waiting.add(org);
        }
    }

    /** Gives free places to organisations that want one. {@link #answered} returns the unused ones. */
    synchronized List<Share> take() {
        Map<String, Integer> taken = new LinkedHashMap<>();
        boolean more = true;
        while (more) {
            more = false;
            for (String org : waiting) {
                int holds = held.getOrDefault(org, 0);
                if (free > 0 && holds < HELD_PER_FREE * free) {
                    free--;
                    held.put(org, holds + 1);
                    taken.merge(org, 1, Integer::sum);
                    more = true;
                }
            }
        }
        List<Share> shares = new ArrayList<>();
        taken.forEach((org, places) -> {
            waiting.remove(org);
            asked.add(org);
            shares.add(new Share(org, places));
        });
        return shares;
    }

    /** Records how many of its places an organisation has used. If it used all, it may want more. */
    synchronized void answered(Share share, int used) {
        asked.remove(share.org);
        giveBack(share.org, share.places - used);
        if (again.remove(share.org) || used == share.places) {
            waiting.add(share.org);
        }
    }

    /** Returns the place of a call that is over. */
    synchronized void done(String org) {
        giveBack(org, 1);
    }

    private void giveBack(String org, int places) {
        free += places;
        held.computeIfPresent(org, (ignored, holds) -> holds == places ? null : (Integer) (holds - places));
    }

    synchronized int free() {
        return free;
    }
}
