package dev.weir.core.admission;

import java.util.ArrayList;
import java.util.List;

/** The holdings that count against one limit. A holding knows its place, so that leaving costs the same at any size. */
final class Holders {
    private final List<Seat> seats = new ArrayList<>(1);

    /** One holding's place among the holders of one limit. */
    static final class Seat {
        final Holding holding;
        private int place;

        Seat(Holding holding) {
            this.holding = holding;
        }
    }

    void add(Seat seat) {
        seat.place = seats.size();
        seats.add(seat);
    }

    void remove(Seat seat) {
        Seat last = seats.removeLast();
        if (last != seat) {
            seats.set(seat.place, last);
            last.place = seat.place;
        }
    }

    boolean isEmpty() {
        return seats.isEmpty();
    }

    /** The subjects of the holders, oldest grant first. */
    List<Subject> subjects(int most) {
        return seats.stream()
                .map(seat -> seat.holding)
                .sorted(Holding.BY_AGE)
                .limit(most)
                .map(Holding::subject)
                .toList();
    }
}
