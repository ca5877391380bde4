package dev.weir.postgres.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The changes of an organisation's claim pages in one transaction. */
final class ClaimPageRows {
    private final ClaimPages pages;
    private final List<StepChange> granted = new ArrayList<>();
    private final Map<Long, Set<UnitKey>> created = new HashMap<>();
    private final Set<UnitKey> removed = new HashSet<>();
    private List<Long> deleted = List.of();

    ClaimPageRows(ClaimPages pages) {
        this.pages = pages;
    }

    /** Adds a claim that may be written in a page. */
    void addGranted(StepChange unit) {
        granted.add(unit);
    }

    /** Removes a released claim from its page. */
    void remove(UnitKey unit) {
        if (pages.markLeaving(unit)) {
            removed.add(unit);
        }
    }

    /** Moves a claim to a row of its own. Returns true if it is in a page. */
    boolean moveToOwnRow(UnitKey unit, RowWrites writes, int org) {
        boolean found = pages.markLeaving(unit);
        if (found) {
            moveToOwnRow(unit, pages.pageOf(unit), writes, org);
        }
        return found;
    }

    private void moveToOwnRow(UnitKey unit, @Nullable Long page, RowWrites writes, int org) {
        writes.add("move_claims_out_of_pages", org, unit.run(), unit.step(), page);
        removed.add(unit);
    }

    void addTo(RowWrites writes, int org) {
        addClaims(writes, org);
        pages.evictSparse().forEach((unit, page) -> moveToOwnRow(unit, page, writes, org));
        deleted = pages.emptyPages();
        deleted.forEach(page -> writes.add("delete_claim_pages", org, page));
    }

    private void addClaims(RowWrites writes, int org) {
        int pagesAvailable = pages.pagesAvailable(granted.size());
        List<StepChange> units = new ArrayList<>();
        var entries = new StringBuilder();
        for (StepChange unit : granted) {
            String claim = pagesAvailable == created.size() ? null : unit.inlineClaim();
            if (claim == null || !RunChange.canBeInline(claim)) {
                unit.addClaim(writes, org);
                continue;
            }
            units.add(unit);
            entries.append(entries.isEmpty() ? "[[" : ",[").append(unit.key().run());
            entries.append(',').append(claim).append(']');
            if (units.size() == pages.claimsMax() || entries.length() > RunChange.INLINE_CHARS_MAX) {
                addPage(units, entries, writes, org);
                units = new ArrayList<>();
                entries = new StringBuilder(entries.length());
            }
        }
        addPage(units, entries, writes, org);
    }

    private void addPage(List<StepChange> units, StringBuilder entries, RowWrites writes, int org) {
        if (units.isEmpty()) {
            return;
        }
        long number = pages.nextPage();
        Set<UnitKey> keys = HashSet.newHashSet(units.size());
        var numbers = new StringBuilder();
        for (StepChange unit : units) {
            unit.placeInPage(number, pages);
            keys.add(unit.key());
            numbers.append(numbers.isEmpty() ? '{' : ',').append(number(unit.key()));
        }
        created.put(number, keys);
        writes.add(
                "insert_claim_pages",
                org,
                number,
                numbers.append('}').toString(),
                entries.append(']').toString());
    }

    /** Packs a run and a step into one number. */
    private static long number(UnitKey unit) {
        return (unit.run() << Short.SIZE) + unit.step();
    }

    void markCommitted() {
        pages.applyCommit(created, removed, deleted);
    }
}
