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
    private static final int INITIAL_CAPACITY = 4;
    private static final @Nullable Allocation[] NONE = {};

    /** The only allocation while there is no array: most limits never have a second one. */
    private @Nullable Allocation sole;

    private @Nullable Allocation[] allocations = NONE;
    private int size;

    /** Adds an allocation; returns its index. */
    int add(Allocation allocation) {
        if (size == 0 && allocations.length == 0) {
            sole = allocation;
            return size++;
        }
        if (size >= allocations.length) {
            grow();
        }
        allocations[size] = allocation;
        return size++;
    }

    private void grow() {
        allocations = Arrays.copyOf(allocations, Math.max(INITIAL_CAPACITY, size * 2));
        if (sole != null) {
            allocations[0] = sole;
            sole = null;
        }
    }

    /** Removes the allocation at that index; returns the one that moved there, if any. */
    @Nullable
    Allocation remove(int index) {
        size--;
        if (allocations.length == 0) {
            sole = null;
            return null;
        }
        Allocation last = allocations[size];
        allocations[size] = null;
        if (index == size) {
            return null;
        }
        allocations[index] = last;
        return last;
    }

    final boolean isEmpty() {
        return size == 0;
    }

    final int size() {
        return size;
    }

    final Allocation get(int index) {
        return Objects.requireNonNull(allocations.length == 0 ? sole : allocations[index]);
    }

    /** The allocations whose claims ended without returning them. There are none unless there is a bug. */
    final List<Allocation> stale() {
        List<Allocation> stale = List.of();
        for (int i = 0; i < size; i++) {
            if (!get(i).isLive()) {
                stale = stale.isEmpty() ? new ArrayList<>() : stale;
                stale.add(get(i));
            }
        }
        return stale;
    }

    /** The subjects of the oldest grants, oldest first, at most {@code max}. */
    List<Subject> subjects(int max) {
        List<Allocation> oldest = max < size ? oldest(max) : all();
        oldest.sort(Allocation.BY_AGE);
        return oldest.stream().map(Allocation::subject).toList();
    }

    /** The same for the items of one fan-out. */
    @SuppressWarnings("ReferenceEquality") // fan-outs are compared by identity
    List<Subject> subjects(FanOutLimit fanOut, int max) {
        return all().stream()
                .filter(allocation -> allocation.spec().runDemand().fanOut() == fanOut)
                .sorted(Allocation.BY_AGE)
                .limit(max)
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

    private List<Allocation> oldest(int max) {
        var selected = new PriorityQueue<>(max + 1, Allocation.BY_AGE.reversed());
        for (Allocation allocation : all()) {
            selected.add(allocation);
            if (selected.size() > max) {
                selected.remove();
            }
        }
        return new ArrayList<>(selected);
    }
}
