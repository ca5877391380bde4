package dev.weir.postgres.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

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
        if (sheets.has(unit)) {
            left.add(unit);
        }
    }

    /** Gives a claim a row of its own; tells whether it is in a sheet. */
    boolean part(UnitKey unit, Writes writes, int org) {
        if (!sheets.has(unit)) {
            return false;
        }
        writes.add("part_sheets", org, unit.run(), unit.step(), sheets.sheetOf(unit));
        left.add(unit);
        return true;
    }

    void addTo(Writes writes, int org) {
        if (sheets.take(granted.size())) {
            addSheets(writes, org);
        } else {
            granted.forEach(unit -> unit.addClaim(writes, org));
        }
        sheets.clear(left).forEach((sheet, units) -> {
            units.forEach(unit -> writes.add("part_sheets", org, unit.run(), unit.step(), sheet));
            left.addAll(units);
        });
        gone = sheets.empty();
        gone.forEach(sheet -> writes.add("delete_sheets", org, sheet));
    }

    private void addSheets(Writes writes, int org) {
        int chars = 0;
        List<UnitImage> units = new ArrayList<>();
        var entries = new StringJoiner(",", "[", "]");
        for (UnitImage unit : granted) {
            String entry = "[" + unit.key().run() + "," + unit.within() + "]";
            if (!RunImage.canBeWithin(entry)) {
                unit.addClaim(writes, org);
                continue;
            }
            if (units.size() == sheets.claimsMax() || chars + entry.length() > RunImage.WITHIN_CHARS_MAX) {
                addSheet(units, entries, writes, org);
                units = new ArrayList<>();
                entries = new StringJoiner(",", "[", "]");
                chars = 0;
            }
            units.add(unit);
            entries.add(entry);
            chars += entry.length();
        }
        addSheet(units, entries, writes, org);
    }

    private void addSheet(List<UnitImage> units, StringJoiner entries, Writes writes, int org) {
        if (units.isEmpty()) {
            return;
        }
        long number = sheets.next();
        Set<UnitKey> keys = new HashSet<>();
        var runs = new StringJoiner(",", "{", "}");
        for (UnitImage unit : units) {
            unit.liesIn(number, sheets);
            keys.add(unit.key());
            runs.add(Long.toString(unit.key().run()));
        }
        made.put(number, keys);
        writes.add("insert_sheets", org, number, runs.toString(), entries.toString());
    }

    void committed() {
        sheets.committed(made, left, gone);
    }
}
