package dev.weir.forecast;

import java.util.Arrays;

/** A count that changes over time. */
public final class TimeSeries {
    private static final int INITIAL_CAPACITY = 16;

    private long[] times = new long[INITIAL_CAPACITY];
    private int[] counts = new int[INITIAL_CAPACITY];
    private int size;
    private int peak;

    TimeSeries() {}

    void add(long at, int delta) {
        int count = (size == 0 ? 0 : counts[size - 1]) + delta;
        if (size > 0 && times[size - 1] == at) {
            counts[size - 1] = count;
            return;
        }
        updatePeak();
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
        times[size] = at;
        counts[size] = count;
        size++;
    }

    private void updatePeak() {
        peak = size == 0 ? 0 : Math.max(peak, counts[size - 1]);
    }

    /** The highest count that lasted for any length of time. */
    public int peak() {
        return size == 0 ? 0 : Math.max(peak, counts[size - 1]);
    }

    /** Returns the sum of count × time between two moments. */
    public double area(long from, long to) {
        double area = 0;
        for (int i = Math.max(0, indexAt(from)); i < size && times[i] < to; i++) {
            long end = i + 1 < size ? Math.min(to, times[i + 1]) : to;
            area += (double) counts[i] * Math.max(0, end - Math.max(from, times[i]));
        }
        return area;
    }

    /** Returns the index of the last change that is not after the moment; -1 if there is none. */
    private int indexAt(long moment) {
        int found = Arrays.binarySearch(times, 0, size, moment);
        return found >= 0 ? found : -found - 2;
    }

    /** The moments at which the count changed, oldest first. */
    public long[] changeTimes() {
        return Arrays.copyOf(times, size);
    }
}
