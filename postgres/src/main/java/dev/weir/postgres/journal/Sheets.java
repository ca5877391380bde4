package dev.weir.postgres.journal;

import dev.weir.core.life.RunRef;
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
 * Where those claims of an organisation lie that share rows. A step that waited for a limit is granted when its run has been
 * written before; many such claims of one transaction make up one row, a sheet, which goes when none of them lives.
 *
 * <p>Which of them live is told by the rows of their steps. What is known here tells which sheets can go, and where a claim
 * is found that has to get a row of its own. Rows may be made more than once before they are written: claims that leave
 * a sheet leave it here once that is committed.
 */
final class Sheets {
    /** Of so many parts of a sheet or fewer one lives: where room is wanted, the claims that do get rows of their own. */
    private static final int SPARSE = 8;

    /**
     * @param worthMin with fewer claims in a transaction, each gets a row of its own
     * @param claimsMax claims of a sheet
     * @param sheetsMax sheets with claims that live, beside those that are being written; whoever reads claims reads all
     */
    record Bounds(int worthMin, int claimsMax, int sheetsMax) {
        static final Bounds USUAL = new Bounds(8, 128, 64);
    }

    /** @param run absent if it was read: where its claims are is not relied on then */
    private record Place(long sheet, @Nullable RunRef run) {}

    private final Bounds bounds;
    /** Claims in sheets, those that are being written included. */
    private final Map<UnitKey, Place> places = new HashMap<>();
    /** The claims that live by sheet, the oldest first. */
    private final Map<Long, Set<UnitKey>> open = new LinkedHashMap<>();
    /** Claims that are being given back, or given rows of their own. */
    private final Set<UnitKey> leaving = new HashSet<>();
    /** Sheets without any. */
    private final Set<Long> empty = new LinkedHashSet<>();

    private long last;

    Sheets(Bounds bounds) {
        this.bounds = bounds;
    }

    int claimsMax() {
        return bounds.claimsMax;
    }

    /** The organisation was read: these are its sheets, and the claims in them that live. */
    synchronized void loaded(Collection<Long> sheets, Map<UnitKey, Long> claims) {
        places.clear();
        open.clear();
        empty.clear();
        leaving.clear();
        for (Long sheet : sheets) {
            open.put(sheet, new HashSet<>());
            last = Math.max(last, sheet);
        }
        claims.forEach((unit, sheet) -> {
            places.put(unit, new Place(sheet, null));
            open.computeIfAbsent(sheet, ignored -> new HashSet<>()).add(unit);
        });
        open.forEach((sheet, units) -> {
            if (units.isEmpty()) {
                empty.add(sheet);
            }
        });
        open.keySet().removeAll(empty);
    }

    /** How many sheets may be made of so many claims of a transaction. */
    synchronized int room(int claims) {
        return claims < bounds.worthMin ? 0 : Math.max(0, bounds.sheetsMax - open.size());
    }

    /** The number of a new sheet. */
    synchronized long next() {
        last++;
        return last;
    }

    /** Notes where a claim is being written. */
    synchronized void place(UnitKey unit, long sheet, RunRef run) {
        places.put(unit, new Place(sheet, run));
    }

    /** Notes that a claim is given back, or a row of its own; tells whether it is in a sheet. */
    synchronized boolean leave(UnitKey unit) {
        boolean found = places.containsKey(unit);
        if (found) {
            leaving.add(unit);
        }
        return found;
    }

    /** The sheet that a claim is in; absent if that is not committed, and so may be another in the end. */
    synchronized @Nullable Long sheetOf(UnitKey unit) {
        Place place = places.get(unit);
        return place != null && open.containsKey(place.sheet) ? (Long) place.sheet : null;
    }

    /** Sheets that can be deleted. */
    synchronized List<Long> empty() {
        return List.copyOf(empty);
    }

    /** Claims that alone keep whole sheets, where many are kept: they leave them now, and are to get rows of their own. */
    synchronized Map<UnitKey, Long> clear() {
        Map<UnitKey, Long> cleared = new LinkedHashMap<>();
        int wanted = open.size() - bounds.sheetsMax / 2;
        for (var sheet : open.entrySet()) {
            if (wanted > 0 && sheet.getValue().size() <= bounds.claimsMax / SPARSE) {
                wanted--;
                for (UnitKey unit : sheet.getValue()) {
                    if (leaving.add(unit)) {
                        willLieApart(unit);
                        cleared.put(unit, sheet.getKey());
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
     * What a transaction has done to the sheets, which is committed.
     *
     * @param made new sheets
     * @param left claims that are in no sheet any more
     * @param gone sheets that were deleted
     */
    synchronized void committed(Map<Long, Set<UnitKey>> made, Set<UnitKey> left, Collection<Long> gone) {
        open.putAll(made);
        for (UnitKey unit : left) {
            leaving.remove(unit);
            Place place = places.remove(unit);
            Set<UnitKey> others = place == null ? null : open.get(place.sheet);
            if (place != null && others != null && others.remove(unit) && others.isEmpty()) {
                open.remove(place.sheet);
                empty.add(place.sheet);
            }
        }
        empty.removeAll(gone);
    }
}
