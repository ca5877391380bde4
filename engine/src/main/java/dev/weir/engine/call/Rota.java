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
 * Who is next to use the places for calls: organisations that have something to call, in turn, one place after the
 * other. An organisation may hold at most twice as many places as are free, so one that takes all it can get leaves a
 * third, two leave a fifth, and whoever comes next finds one.
 */
final class Rota {
    private static final int HELD_PER_FREE = 2;

    private int free;
    /** Those that want a place, the next one first. */
    private final Set<String> waiting = new LinkedHashSet<>();
    /** Those that are being asked what they would call, and those of them that said again that they want a place. */
    private final Set<String> asked = new HashSet<>();

    private final Set<String> again = new HashSet<>();
    private final Map<String, Integer> held = new HashMap<>();

    Rota(int places) {
        this.free = places;
    }

    /** Places of an organisation, taken for it. */
    record Share(String org, int places) {}

    synchronized void wants(String org) {
        if (asked.contains(org)) {
            again.add(org);
        } else {
            waiting.add(org);
        }
    }

    /** Gives free places to those who want one. What is not used is given back by {@link #answered}. */
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

    /** An organisation has used so many of the places that it was given; if all, it may want more. */
    synchronized void answered(Share share, int used) {
        asked.remove(share.org);
        giveBack(share.org, share.places - used);
        if (again.remove(share.org) || used == share.places) {
            waiting.add(share.org);
        }
    }

    /** A call is over. */
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
