package dev.weir.postgres.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a transaction does to the sheets of an organisation. */
final class SheetRows {
    private final Sheets sheets;
    private final List<UnitImage> granted = new ArrayList<>();
    private final Map<Long, Set<UnitKey>> made = new HashMap<>();
    private final Set<UnitKey> left = new HashSet<>();
    private List<Long> gone = List.of();

    SheetRows(Sheets sheets) {
        this.sheets = sheets;
    }

    /** A claim that may be written in a sheet. */
    void take(UnitImage unit) {
        granted.add(unit);
    }

    /** A claim is given back. */
    void leave(UnitKey unit) {
        if (sheets.leave(unit)) {
            left.add(unit);
        }
    }

    /** Gives a claim a row of its own; tells whether it is in a sheet. */
    boolean part(UnitKey unit, Writes writes, int org) {
        boolean found = sheets.leave(unit);
        if (found) {
            part(unit, sheets.sheetOf(unit), writes, org);
        }
        return found;
    }

    private void part(UnitKey unit, @Nullable Long sheet, Writes writes, int org) {
        writes.add("part_sheets", org, unit.run(), unit.step(), sheet);
        left.add(unit);
    }

    void addTo(Writes writes, int org) {
        addClaims(writes, org);
        sheets.clear().forEach((unit, sheet) -> part(unit, sheet, writes, org));
        gone = sheets.empty();
        gone.forEach(sheet -> writes.add("delete_sheets", org, sheet));
    }

    private void addClaims(Writes writes, int org) {
        int room = sheets.room(granted.size());
        List<UnitImage> units = new ArrayList<>();
        var entries = new StringBuilder();
        for (UnitImage unit : granted) {
            String claim = room == made.size() ? null : unit.within();
            if (claim == null || !RunImage.canBeWithin(claim)) {
                unit.addClaim(writes, org);
                continue;
            }
            units.add(unit);
            entries.append(entries.isEmpty() ? "[[" : ",[").append(unit.key().run());
            entries.append(',').append(claim).append(']');
            if (units.size() == sheets.claimsMax() || entries.length() > RunImage.WITHIN_CHARS_MAX) {
                addSheet(units, entries, writes, org);
                units = new ArrayList<>();
                entries = new StringBuilder(entries.length());
            }
        }
        addSheet(units, entries, writes, org);
    }

    private void addSheet(List<UnitImage> units, StringBuilder entries, Writes writes, int org) {
        if (units.isEmpty()) {
            return;
        }
        long number = sheets.next();
        Set<UnitKey> keys = HashSet.newHashSet(units.size());
        var numbers = new StringBuilder();
        for (UnitImage unit : units) {
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

    /** A run and a step as one number. */
    private static long number(UnitKey unit) {
        return (unit.run() << Short.SIZE) + unit.step();
    }

    void committed() {
        sheets.committed(made, left, gone);
    }
}
