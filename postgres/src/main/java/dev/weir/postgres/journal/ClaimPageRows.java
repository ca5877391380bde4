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
    private final Map<Long, Set<UnitKey>> made = new HashMap<>();
    private final Set<UnitKey> left = new HashSet<>();
    private List<Long> gone = List.of();

    ClaimPageRows(ClaimPages pages) {
        this.pages = pages;
    }

    /** Adds a claim that may be written in a page. */
    void take(StepChange unit) {
        granted.add(unit);
    }

    /** Removes a released claim from its page. */
    void leave(UnitKey unit) {
        if (pages.leave(unit)) {
            left.add(unit);
        }
    }

    /** Moves a claim to a row of its own. Returns true if it is in a page. */
    boolean part(UnitKey unit, RowWrites writes, int org) {
        boolean found = pages.leave(unit);
        if (found) {
            part(unit, pages.pageOf(unit), writes, org);
        }
        return found;
    }

    private void part(UnitKey unit, @Nullable Long page, RowWrites writes, int org) {
        writes.add("move_claims_out_of_pages", org, unit.run(), unit.step(), page);
        left.add(unit);
    }

    void addTo(RowWrites writes, int org) {
        addClaims(writes, org);
        pages.clear().forEach((unit, page) -> part(unit, page, writes, org));
        gone = pages.empty();
        gone.forEach(page -> writes.add("delete_claim_pages", org, page));
    }

    private void addClaims(RowWrites writes, int org) {
        int room = pages.room(granted.size());
        List<StepChange> units = new ArrayList<>();
        var entries = new StringBuilder();
        for (StepChange unit : granted) {
            String claim = room == made.size() ? null : unit.within();
            if (claim == null || !RunChange.canBeWithin(claim)) {
                unit.addClaim(writes, org);
                continue;
            }
            units.add(unit);
            entries.append(entries.isEmpty() ? "[[" : ",[").append(unit.key().run());
            entries.append(',').append(claim).append(']');
            if (units.size() == pages.claimsMax() || entries.length() > RunChange.WITHIN_CHARS_MAX) {
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
        long number = pages.next();
        Set<UnitKey> keys = HashSet.newHashSet(units.size());
        var numbers = new StringBuilder();
        for (StepChange unit : units) {
            unit.liesIn(number, pages);
            keys.add(unit.key());
            numbers.append(numbers.isEmpty() ? '{' : ',').append(number(unit.key()));
        }
        made.put(number, keys);
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

    void committed() {
        pages.committed(made, left, gone);
    }
}
