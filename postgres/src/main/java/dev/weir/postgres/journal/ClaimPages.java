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
    private static final int SPARSE_DIVISOR = 8;

    /**
     * The bounds of the pages.
     *
     * @param claimsMin the fewest claims of a transaction that form a page; with fewer, each claim gets a row of its own
     * @param claimsMax the most claims of a page
     * @param pagesMax the most pages with live claims, not counting those being written; every read of claims reads
     *     all pages
     */
    record Bounds(int claimsMin, int claimsMax, int pagesMax) {
        static final Bounds DEFAULT = new Bounds(8, 128, 64);
    }

    /**
     * The page of a claim.
     *
     * @param run the run of the claim; null if the claim was loaded, because nothing relies on its place then
     */
    private record ClaimLocation(long page, @Nullable RunRef run) {}

    private final Bounds bounds;
    /** Claims in pages, including those being written. */
    private final Map<UnitKey, ClaimLocation> locations = new HashMap<>();
    /** The live claims by page, oldest page first. */
    private final Map<Long, Set<UnitKey>> liveClaimsByPage = new LinkedHashMap<>();
    /** Claims that are being released or moved to rows of their own. */
    private final Set<UnitKey> leaving = new HashSet<>();
    /** Pages without live claims. */
    private final Set<Long> emptyPages = new LinkedHashSet<>();

    private long lastPage;
    /** The epoch of the newest load. */
    private long epoch = Long.MIN_VALUE;

    ClaimPages(Bounds bounds) {
        this.bounds = bounds;
    }

    int claimsMax() {
        return bounds.claimsMax;
    }

    /**
     * Replaces the contents after the organisation was loaded, with its pages and the live claims in them. A load under
     * an earlier epoch that ends late changes nothing.
     */
    synchronized void restore(long underEpoch, Collection<Long> pages, Map<UnitKey, Long> claims) {
        if (underEpoch < epoch) {
            return;
        }
        epoch = underEpoch;
        locations.clear();
        liveClaimsByPage.clear();
        emptyPages.clear();
        leaving.clear();
        for (Long page : pages) {
            liveClaimsByPage.put(page, new HashSet<>());
            lastPage = Math.max(lastPage, page);
        }
        claims.forEach((unit, page) -> {
            locations.put(unit, new ClaimLocation(page, null));
            liveClaimsByPage.computeIfAbsent(page, ignored -> new HashSet<>()).add(unit);
        });
        liveClaimsByPage.forEach((page, units) -> {
            if (units.isEmpty()) {
                emptyPages.add(page);
            }
        });
        liveClaimsByPage.keySet().removeAll(emptyPages);
    }

    /** Returns how many pages a transaction with that many claims may create. */
    synchronized int pagesAvailable(int claims) {
        return claims < bounds.claimsMin ? 0 : Math.max(0, bounds.pagesMax - liveClaimsByPage.size());
    }

    /** Returns the number of a new page. */
    synchronized long nextPage() {
        lastPage++;
        return lastPage;
    }

    /** Records the page in which a claim is being written. */
    synchronized void assign(UnitKey unit, long page, RunRef run) {
        locations.put(unit, new ClaimLocation(page, run));
    }

    /** Records that a claim is being released or moved to a row of its own. Returns true if it is in a page. */
    synchronized boolean markLeaving(UnitKey unit) {
        boolean found = locations.containsKey(unit);
        if (found) {
            leaving.add(unit);
        }
        return found;
    }

    /** Returns the page of a claim, or null if that page is not committed and may therefore still change. */
    synchronized @Nullable Long pageOf(UnitKey unit) {
        ClaimLocation location = locations.get(unit);
        return location != null && liveClaimsByPage.containsKey(location.page) ? (Long) location.page : null;
    }

    /** Returns the pages that can be deleted. */
    synchronized List<Long> emptyPages() {
        return List.copyOf(emptyPages);
    }

    /**
     * Returns the claims of sparse pages if there are many pages. They leave their pages now and must get rows of their
     * own.
     */
    synchronized Map<UnitKey, Long> evictSparse() {
        Map<UnitKey, Long> evicted = new LinkedHashMap<>();
        int excess = liveClaimsByPage.size() - bounds.pagesMax / 2;
        for (var page : liveClaimsByPage.entrySet()) {
            if (excess > 0 && page.getValue().size() <= bounds.claimsMax / SPARSE_DIVISOR) {
                excess--;
                for (UnitKey unit : page.getValue()) {
                    if (leaving.add(unit)) {
                        recordOwnRow(unit);
                        evicted.put(unit, page.getKey());
                    }
                }
            }
        }
        return evicted;
    }

    private void recordOwnRow(UnitKey unit) {
        ClaimLocation location = locations.get(unit);
        if (location != null && location.run != null) {
            location.run.markClaimRows();
        }
    }

    /**
     * Applies the page changes of a committed transaction.
     *
     * @param created the new pages and their claims
     * @param removed the claims that are no longer in any page
     * @param deleted the pages that were deleted
     */
    synchronized void applyCommit(Map<Long, Set<UnitKey>> created, Set<UnitKey> removed, Collection<Long> deleted) {
        liveClaimsByPage.putAll(created);
        for (UnitKey unit : removed) {
            leaving.remove(unit);
            ClaimLocation location = locations.remove(unit);
            Set<UnitKey> pageClaims = location == null ? null : liveClaimsByPage.get(location.page);
            if (location != null && pageClaims != null && pageClaims.remove(unit) && pageClaims.isEmpty()) {
                liveClaimsByPage.remove(location.page);
                emptyPages.add(location.page);
            }
        }
        emptyPages.removeAll(deleted);
    }
}
