package dev.weir.core.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The live runs, by id and in the order of their numbers, which is the order of acceptance. The runs are linked to each
 * other, so that a reader who takes one slice at a time finds the next run without passing all earlier ones.
 */
@SuppressWarnings("ReferenceEquality") // runs are compared by identity
final class LiveRuns implements Iterable<Run> {
    private final Map<String, Run> byId = new HashMap<>();
    private @Nullable Run first;
    private @Nullable Run last;

    /** The number at which the last slice ended, and the last live run up to that number. */
    private long sliceEnd;

    private @Nullable Run beforeNext;

    /** Runs that slices have visited. Tests use it as a measure of work that does not depend on the machine. */
    private long visitedCount;

    @Nullable
    Run find(@Nullable String id) {
        return byId.get(id);
    }

    int size() {
        return byId.size();
    }

    boolean contains(@Nullable String id) {
        return byId.containsKey(id);
    }

    /** Returns the oldest run. */
    @Nullable
    Run first() {
        return first;
    }

    /** Returns the run that follows a given one, which need not be live any more. */
    @Nullable
    Run nextAfter(Run run) {
        if (byId.get(run.id()) == run) {
            return run.later;
        }
        Run next = first;
        while (next != null && next.number() <= run.number()) {
            next = next.later;
        }
        return next;
    }

    void add(Run run) {
        if (byId.putIfAbsent(run.id(), run) != null) {
            throw new IllegalStateException("expected no run of that id, found " + run);
        }
        Run before = last;
        while (before != null && before.number() > run.number()) {
            before = before.earlier;
        }
        link(before, run, before == null ? first : before.later);
        if (run.number() <= sliceEnd && (beforeNext == null || beforeNext.number() < run.number())) {
            beforeNext = run;
        }
    }

    private void link(@Nullable Run before, Run run, @Nullable Run after) {
        run.earlier = before;
        run.later = after;
        if (before == null) {
            first = run;
        } else {
            before.later = run;
        }
        if (after == null) {
            last = run;
        } else {
            after.earlier = run;
        }
    }

    /** Removes a run that has ended. */
    void remove(Run run) {
        byId.remove(run.id());
        Run before = run.earlier;
        Run after = run.later;
        if (before == null) {
            first = after;
        } else {
            before.later = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.earlier = before;
        }
        if (beforeNext == run) {
            beforeNext = before;
        }
        run.earlier = null;
        run.later = null;
    }

    /**
     * Returns the runs with numbers above {@code after} and up to {@code end}, in order. The cost of a slice that
     * begins at the end of the previous one is proportional to its own size.
     */
    List<Run> slice(long after, long end) {
        Run next = after != sliceEnd || beforeNext == null ? first : beforeNext.later;
        Run before = next == null ? last : next.earlier;
        List<Run> found = new ArrayList<>();
        for (; next != null && next.number() <= end; next = next.later) {
            visitedCount++;
            if (next.number() > after) {
                found.add(next);
            }
            before = next;
        }
        sliceEnd = end;
        beforeNext = before;
        return found;
    }

    long visitedCount() {
        return visitedCount;
    }

    @Override
    public Iterator<Run> iterator() {
        return new Iterator<>() {
            private @Nullable Run next = first;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Run next() {
                Run found = next;
                if (found == null) {
                    throw new NoSuchElementException("no more runs");
                }
                next = found.later;
                return found;
            }
        };
    }
}
