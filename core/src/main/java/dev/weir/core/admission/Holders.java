package dev.weir.core.admission;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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

    /** The subjects of the holders, oldest grant first. */
    List<Subject> subjects(int most) {
        return Stream.of(holdings)
                .limit(size)
                .<Holding>mapMulti((holding, sink) -> {
                    if (holding != null) {
                        sink.accept(holding);
                    }
                })
                .sorted(Holding.BY_AGE)
                .limit(most)
                .map(Holding::subject)
                .toList();
    }
}
