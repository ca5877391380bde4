package dev.weir.core.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The holdings that count against one limit. A holding knows its place, so that leaving costs the same at any size. */
final class Holders {
    private @Nullable Holding[] holdings = new Holding[1];
    private int size;

    /** Adds a holding; returns its place. */
    int add(Holding holding) {
        if (size == holdings.length) {
            holdings = Arrays.copyOf(holdings, size * 2);
        }
        holdings[size] = holding;
        return size++;
    }

    /** Takes out the holding in that place; returns the one that has moved there, if any. */
    @Nullable
    Holding remove(int place) {
        size--;
        Holding last = holdings[size];
        holdings[size] = null;
        if (place == size) {
            return null;
        }
        holdings[place] = last;
        return last;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The subjects of the holders, oldest grant first, the first of them only. */
    List<Subject> subjects(int most) {
        List<Holding> oldest = most < size ? oldest(most) : all();
        oldest.sort(Holding.BY_AGE);
        return oldest.stream().map(Holding::subject).toList();
    }

    private List<Holding> all() {
        List<Holding> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(Objects.requireNonNull(holdings[i]));
        }
        return all;
    }

    private List<Holding> oldest(int most) {
        var kept = new PriorityQueue<>(most + 1, Holding.BY_AGE.reversed());
        for (Holding holding : all()) {
            kept.add(holding);
            if (kept.size() > most) {
                kept.remove();
            }
        }
        return new ArrayList<>(kept);
    }
}
