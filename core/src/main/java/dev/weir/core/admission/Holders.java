package dev.weir.core.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The holdings that count against one limit. A holding knows its place, so that leaving costs the same at any size. */
final class Holders {
    private static final int INITIAL_HOLDINGS = 4;
    private static final @Nullable Holding[] NONE = {};

    /** The only holding, while there is no array: most limits never have a second. */
    private @Nullable Holding sole;

    private @Nullable Holding[] holdings = NONE;
    private int size;

    /** Adds a holding; returns its place. */
    int add(Holding holding) {
        if (size == 0 && holdings.length == 0) {
            sole = holding;
            return size++;
        }
        if (size >= holdings.length) {
            grow();
        }
        holdings[size] = holding;
        return size++;
    }

    private void grow() {
        holdings = Arrays.copyOf(holdings, Math.max(INITIAL_HOLDINGS, size * 2));
        if (sole != null) {
            holdings[0] = sole;
            sole = null;
        }
    }

    /** Takes out the holding in that place; returns the one that has moved there, if any. */
    @Nullable
    Holding remove(int place) {
        size--;
        if (holdings.length == 0) {
            sole = null;
            return null;
        }
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

    /** The same for the items of one fan-out. */
    @SuppressWarnings("ReferenceEquality") // fan-outs are told apart by who they are
    List<Subject> subjects(FanOut fanOut, int most) {
        return all().stream()
                .filter(holding -> holding.spec().local().fanOut() == fanOut)
                .sorted(Holding.BY_AGE)
                .limit(most)
                .map(Holding::subject)
                .toList();
    }

    private List<Holding> all() {
        List<Holding> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(Objects.requireNonNull(holdings.length == 0 ? sole : holdings[i]));
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
