package dev.weir.core.limit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The newest starts of a limit, oldest first, with running totals of their cost. Starts at the same instant share an
 * entry. When the log is full, it drops the oldest entry. A rate whose count is at most the number of entries never
 * needs a dropped one.
 */
final class StartLog {
    private static final int INITIAL_ENTRIES = 4;

    private final int entriesMax;
    private long[] times = new long[INITIAL_ENTRIES];
    /** The cost of everything before the entry, including dropped entries. */
    private long[] costBefore = new long[INITIAL_ENTRIES];

    private long first;
    private long next;
    private long cost;
    private long droppedAt = Long.MIN_VALUE;

    StartLog(int entriesMax) {
        this.entriesMax = entriesMax;
    }

    void record(long at, long added) {
        if (next > first && times[slot(next - 1)] >= at) {
            cost += added;
            return;
        }
        if (next - first == times.length) {
            makeRoom();
        }
        times[slot(next)] = at;
        costBefore[slot(next)] = cost;
        next++;
        cost += added;
    }

    private void makeRoom() {
        if (times.length < entriesMax) {
            grow();
        } else {
            droppedAt = times[slot(first)];
            first++;
        }
    }

    private void grow() {
        int size = Math.min(entriesMax, times.length * 2);
        long[] oldTimes = times;
        long[] oldCosts = costBefore;
        times = new long[size];
        costBefore = new long[size];
        for (long i = first; i < next; i++) {
            times[slot(i)] = oldTimes[(int) (i % oldTimes.length)];
            costBefore[slot(i)] = oldCosts[(int) (i % oldCosts.length)];
        }
    }

    private int slot(long index) {
        return (int) (index % times.length);
    }

    long first() {
        return first;
    }

    long next() {
        return next;
    }

    long timeOf(long index) {
        return times[slot(index)];
    }

    /** The cost of the entries from this one on. */
    long costFrom(long index) {
        return index >= next ? 0 : cost - costBefore[slot(index)];
    }

    /** The time of the newest dropped entry; {@code Long.MIN_VALUE} if none was dropped. */
    long droppedAt() {
        return droppedAt;
    }

    /** Returns the newest starts after a time, oldest first, at most {@code max}. */
    List<CountedStart> newest(long after, int max) {
        List<CountedStart> newest = new ArrayList<>();
        for (long i = Math.max(first, next - max); i < next; i++) {
            if (timeOf(i) > after) {
                newest.add(new CountedStart(timeOf(i), costFrom(i) - costFrom(i + 1)));
            }
        }
        return newest;
    }

    /** The cost of all dropped entries. */
    long droppedCost() {
        return first == next ? cost : costBefore[slot(first)];
    }

    /** The time of the newest start; {@code Long.MIN_VALUE} if there is none. */
    long newestStartAt() {
        return next > first ? times[slot(next - 1)] : droppedAt;
    }

    void clear() {
        first = next;
        cost = 0;
        droppedAt = Long.MIN_VALUE;
        Arrays.fill(costBefore, 0);
    }
}
