package dev.weir.core.expression;

import java.util.AbstractList;
import java.util.RandomAccess;

/** The whole numbers from 0, computed and not stored. Each number that is read is charged to the budget. */
final class LazyRange extends AbstractList<Long> implements RandomAccess {
    static final int SIZE_MAX = 1_000_000;
    private final int size;
    private final EvaluationBudget budget;

    private LazyRange(int size, EvaluationBudget budget) {
        this.size = size;
        this.budget = budget;
    }

    static LazyRange of(long size, EvaluationBudget budget) {
        if (size < 0 || size > SIZE_MAX) {
            throw new IllegalArgumentException("range(n) takes n from 0 to " + SIZE_MAX + ", found " + size);
        }
        return new LazyRange((int) size, budget);
    }

    @Override
    public Long get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        budget.spend(1);
        return (long) index;
    }

    @Override
    public int size() {
        return size;
    }
}
