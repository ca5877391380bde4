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
    private final ClaimPages sheets;
    private final List<StepChange> granted = new ArrayList<>();
    private final Map<Long, Set<UnitKey>> made = new HashMap<>();
    private final Set<UnitKey> left = new HashSet<>();
    private List<Long> gone = List.of();

    ClaimPageRows(ClaimPages sheets) {
        this.sheets = sheets;
    }

    /** Adds a claim that may be written in a page. */
    void take(StepChange unit) {
        granted.add(unit);
    }

    /** Removes a released claim from its page. */
    void leave(UnitKey unit) {
        if (sheets.leave(unit)) {
            left.add(unit);
        }
    }

    /** Moves a claim to a row of its own. Returns true if it is in a page. */
    boolean part(UnitKey unit, RowWrites writes, int org) {
        boolean found = sheets.leave(unit);
        if (found) {
            part(unit, sheets.sheetOf(unit), writes, org);
        }
        return found;
    }

    private void part(UnitKey unit, @Nullable Long sheet, RowWrites writes, int org) {
        writes.add("part_sheets", org, unit.run(), unit.step(), sheet);
        left.add(unit);
    }

    void addTo(RowWrites writes, int org) {
        addClaims(writes, org);
        sheets.clear().forEach((unit, sheet) -> part(unit, sheet, writes, org));
        gone = sheets.empty();
        gone.forEach(sheet -> writes.add("delete_sheets", org, sheet));
    }

    private void addClaims(RowWrites writes, int org) {
        int room = sheets.room(granted.size());
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
            if (units.size() == sheets.claimsMax() || entries.length() > RunChange.WITHIN_CHARS_MAX) {
                addSheet(units, entries, writes, org);
                units = new ArrayList<>();
                entries = new StringBuilder(entries.length());
            }
        }
        addSheet(units, entries, writes, org);
    }

    private void addSheet(List<StepChange> units, StringBuilder entries, RowWrites writes, int org) {
        if (units.isEmpty()) {
            return;
        }
        long number = sheets.next();
        Set<UnitKey> keys = HashSet.newHashSet(units.size());
        var numbers = new StringBuilder();
        for (StepChange unit : units) {
            unit.liesIn(number, sheets);
            keys.add(unit.key());
            numbers.append(numbers.isEmpty() ? '{' : ',').append(number(unit.key()));
        }
        made.put(number, keys);
        writes.add(
                "insert_sheets",
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
        sheets.committed(made, left, gone);
    }
}
