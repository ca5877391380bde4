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
    private static final int USED_PER_FREE = 2;

    private int free;
    /** Organisations that want a place, the next one first. */
    private final Set<String> waiting = new LinkedHashSet<>();
    /** Organisations whose claim request is in progress, and those of them that signalled again meanwhile. */
    private final Set<String> claiming = new HashSet<>();

    private final Set<String> signalledAgain = new HashSet<>();
    private final Map<String, Integer> usedByOrg = new HashMap<>();

    CallQueue(int slots) {
        this.free = slots;
    }

    /** The places that an organisation was given. */
    record ClaimShare(String org, int slots) {}

    synchronized void enqueue(String org) {
        if (claiming.contains(org)) {
            signalledAgain.add(org);
        } else {
            waiting.add(org);
        }
    }

    /** Gives free places to organisations that want one. {@link #recordClaimed} returns the unused ones. */
    synchronized List<ClaimShare> take() {
        Map<String, Integer> taken = new LinkedHashMap<>();
        boolean more = true;
        while (more) {
            more = false;
            for (String org : waiting) {
                int used = usedByOrg.getOrDefault(org, 0);
                if (free > 0 && used < USED_PER_FREE * free) {
                    free--;
                    usedByOrg.put(org, used + 1);
                    taken.merge(org, 1, Integer::sum);
                    more = true;
                }
            }
        }
        List<ClaimShare> shares = new ArrayList<>();
        taken.forEach((org, slots) -> {
            waiting.remove(org);
            claiming.add(org);
            shares.add(new ClaimShare(org, slots));
        });
        return shares;
    }

    /** Records how many of its places an organisation has used. If it used all, it may want more. */
    synchronized void recordClaimed(ClaimShare share, int used) {
        claiming.remove(share.org);
        release(share.org, share.slots - used);
        if (signalledAgain.remove(share.org) || used == share.slots) {
            waiting.add(share.org);
        }
    }

    /** Returns the place of a call that is over. */
    synchronized void release(String org) {
        release(org, 1);
    }

    private void release(String org, int slots) {
        free += slots;
        usedByOrg.computeIfPresent(org, (ignored, used) -> used == slots ? null : (Integer) (used - slots));
    }

    synchronized int free() {
        return free;
    }
}
