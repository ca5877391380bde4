package dev.weir.core.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The allocations that count against one limit. An allocation knows its index, so removing one costs the same at any
 * size.
 */
sealed class Allocations permits RunAllocations {
    private static final int INITIAL_HOLDINGS = 4;
    private static final @Nullable Allocation[] NONE = {};

    /** The only allocation while there is no array: most limits never have a second one. */
    private @Nullable Allocation sole;

    private @Nullable Allocation[] holdings = NONE;
    private int size;

    /** Adds an allocation; returns its index. */
    int add(Allocation holding) {
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

    /** Removes the allocation at that index; returns the one that moved there, if any. */
    @Nullable
    Allocation remove(int place) {
        size--;
        if (holdings.length == 0) {
            sole = null;
            return null;
        }
        Allocation last = holdings[size];
        holdings[size] = null;
        if (place == size) {
            return null;
        }
        holdings[place] = last;
        return last;
    }

    final boolean isEmpty() {
        return size == 0;
    }

    final int size() {
        return size;
    }

    final Allocation get(int place) {
        return Objects.requireNonNull(holdings.length == 0 ? sole : holdings[place]);
    }

    /** The allocations whose claims ended without returning them. There are none unless there is a bug. */
    final List<Allocation> stale() {
        List<Allocation> stale = List.of();
        for (int i = 0; i < size; i++) {
            if (!get(i).live()) {
                stale = stale.isEmpty() ? new ArrayList<>() : stale;
                stale.add(get(i));
            }
        }
        return stale;
    }

    /** The subjects of the oldest grants, oldest first, at most {@code most}. */
    List<Subject> subjects(int most) {
        List<Allocation> oldest = most < size ? oldest(most) : all();
        oldest.sort(Allocation.BY_AGE);
        return oldest.stream().map(Allocation::subject).toList();
    }

    /** The same for the items of one fan-out. */
    @SuppressWarnings("ReferenceEquality") // fan-outs are compared by identity
    List<Subject> subjects(FanOutLimit fanOut, int most) {
        return all().stream()
                .filter(holding -> holding.spec().local().fanOut() == fanOut)
                .sorted(Allocation.BY_AGE)
                .limit(most)
                .map(Allocation::subject)
                .toList();
    }

    private List<Allocation> all() {
        List<Allocation> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(get(i));
        }
        return all;
    }

    private List<Allocation> oldest(int most) {
        var kept = new PriorityQueue<>(most + 1, Allocation.BY_AGE.reversed());
        for (Allocation holding : all()) {
            kept.add(holding);
            if (kept.size() > most) {
                kept.remove();
            }
        }
        return new ArrayList<>(kept);
    }
}
