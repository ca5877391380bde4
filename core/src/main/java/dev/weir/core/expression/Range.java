package dev.weir.core.expression;

import java.util.AbstractList;
import java.util.RandomAccess;

/** The whole numbers from 0, counted and not stored. */
final class Range extends AbstractList<Long> implements RandomAccess {
    static final int SIZE_MAX = 1_000_000;
    private final int size;

    private Range(int size) {
        this.size = size;
    }

    static Range of(long size) {
        if (size < 0 || size > SIZE_MAX) {
            throw new IllegalArgumentException("range(n) takes n from 0 to " + SIZE_MAX + ", found " + size);
        }
        return new Range((int) size);
    }

    @Override
    public Long get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return (long) index;
    }

    @Override
    public int size() {
        return size;
    }
}
