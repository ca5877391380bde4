package dev.weir.postgres.journal;

import dev.weir.core.state.RunRef;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of those claims of an organisation that share rows. A step that waited for a limit is granted after its
 * run has been written. Many such claims of one transaction form one row, a page, which is deleted when none of its
 * claims is live.
 *
 * <p>The rows of the steps determine which claims are live. This class knows which pages can be deleted, and where to
 * find a claim that needs a row of its own. Rows may be made more than once before they are written, so a claim leaves
 * its page here only after the commit.
 */
final class ClaimPages {
    /**
     * A page is sparse if at most one in this many of its places is live. If space is needed, the live claims of sparse
     * pages get rows of their own.
     */
    private static final int SPARSE = 8;

    /**
     * The bounds of the pages.
     *
     * @param worthMin the fewest claims of a transaction that form a page; with fewer, each claim gets a row of its own
     * @param claimsMax the most claims of a page
     * @param pagesMax the most pages with live claims, not counting those being written; every read of claims reads
     *     all pages
     */
    record Bounds(int worthMin, int claimsMax, int pagesMax) {
        static final Bounds USUAL = new Bounds(8, 128, 64);
    }

    /**
     * The page of a claim.
     *
     * @param run the run of the claim; null if the claim was loaded, because nothing relies on its place then
     */
    private record Place(long page, @Nullable RunRef run) {}

    private final Bounds bounds;
    /** Claims in pages, including those being written. */
    private final Map<UnitKey, Place> places = new HashMap<>();
    /** The live claims by page, oldest page first. */
    private final Map<Long, Set<UnitKey>> open = new LinkedHashMap<>();
    /** Claims that are being released or moved to rows of their own. */
    private final Set<UnitKey> leaving = new HashSet<>();
    /** Pages without live claims. */
    private final Set<Long> empty = new LinkedHashSet<>();

    private long last;

    ClaimPages(Bounds bounds) {
        this.bounds = bounds;
    }

    int claimsMax() {
        return bounds.claimsMax;
    }

    /** Replaces the contents after the organisation was loaded, with its pages and the live claims in them. */
    synchronized void loaded(Collection<Long> pages, Map<UnitKey, Long> claims) {
        places.clear();
        open.clear();
        empty.clear();
        leaving.clear();
        for (Long page : pages) {
            open.put(page, new HashSet<>());
            last = Math.max(last, page);
        }
        claims.forEach((unit, page) -> {
            places.put(unit, new Place(page, null));
            open.computeIfAbsent(page, ignored -> new HashSet<>()).add(unit);
        });
        open.forEach((page, units) -> {
            if (units.isEmpty()) {
                empty.add(page);
            }
        });
        open.keySet().removeAll(empty);
    }

    /** Returns how many pages a transaction with that many claims may create. */
    synchronized int room(int claims) {
        return claims < bounds.worthMin ? 0 : Math.max(0, bounds.pagesMax - open.size());
    }

    /** Returns the number of a new page. */
    synchronized long next() {
        last++;
        return last;
    }

    /** Records the page in which a claim is being written. */
    synchronized void place(UnitKey unit, long page, RunRef run) {
        places.put(unit, new Place(page, run));
    }

    /** Records that a claim is being released or moved to a row of its own. Returns true if it is in a page. */
    synchronized boolean leave(UnitKey unit) {
        boolean found = places.containsKey(unit);
        if (found) {
            leaving.add(unit);
        }
        return found;
    }

    /** Returns the page of a claim, or null if that page is not committed and may therefore still change. */
    synchronized @Nullable Long pageOf(UnitKey unit) {
        Place place = places.get(unit);
        return place != null && open.containsKey(place.page) ? (Long) place.page : null;
    }

    /** Returns the pages that can be deleted. */
    synchronized List<Long> empty() {
        return List.copyOf(empty);
    }

    /**
     * Returns the claims of sparse pages if there are many pages. They leave their pages now and must get rows of their
     * own.
     */
    synchronized Map<UnitKey, Long> clear() {
        Map<UnitKey, Long> cleared = new LinkedHashMap<>();
        int wanted = open.size() - bounds.pagesMax / 2;
        for (var page : open.entrySet()) {
            if (wanted > 0 && page.getValue().size() <= bounds.claimsMax / SPARSE) {
                wanted--;
                for (UnitKey unit : page.getValue()) {
                    if (leaving.add(unit)) {
                        willLieApart(unit);
                        cleared.put(unit, page.getKey());
                    }
                }
            }
        }
        return cleared;
    }

    private void willLieApart(UnitKey unit) {
        Place place = places.get(unit);
        if (place != null && place.run != null) {
            place.run.hasClaimsApart();
        }
    }

    /**
     * Applies the page changes of a committed transaction.
     *
     * @param made the new pages and their claims
     * @param left the claims that are no longer in any page
     * @param gone the pages that were deleted
     */
    synchronized void committed(Map<Long, Set<UnitKey>> made, Set<UnitKey> left, Collection<Long> gone) {
        open.putAll(made);
        for (UnitKey unit : left) {
            leaving.remove(unit);
            Place place = places.remove(unit);
            Set<UnitKey> others = place == null ? null : open.get(place.page);
            if (place != null && others != null && others.remove(unit) && others.isEmpty()) {
                open.remove(place.page);
                empty.add(place.page);
            }
        }
        empty.removeAll(gone);
    }
}
