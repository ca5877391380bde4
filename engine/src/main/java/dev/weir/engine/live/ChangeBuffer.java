package dev.weir.engine.live;

import java.util.Arrays;

/** The newest changes of one organisation, numbered. It forgets the oldest ones when it is full. Not thread-safe. */
final class ChangeBuffer {
    static final int EVENTS_MAX = 1 << 16;
    private static final int EVENTS_MIN = 64;

    private ChangeEvent[] events = new ChangeEvent[EVENTS_MIN];
    /** The time at which each event arrived, by the monotonic clock, in nanoseconds. */
    private long[] arrivals = new long[EVENTS_MIN];

    private long first;
    private long next;
    private long bytes;

    /** Appends an event, and forgets the oldest ones until the buffer has at most this many bytes. */
    void add(ChangeEvent event, long nanos, long bytesMax) {
        if (next - first == events.length) {
            if (events.length < EVENTS_MAX) {
                grow();
            } else {
                removeFirst();
            }
        }
        events[index(next)] = event;
        arrivals[index(next)] = nanos;
        next++;
        bytes += event.bytes();
        while (bytes > bytesMax && next - first > 1) {
            removeFirst();
        }
    }

    private void grow() {
        ChangeEvent[] moreEvents = Arrays.copyOf(events, events.length * 2);
        long[] moreArrivals = Arrays.copyOf(arrivals, arrivals.length * 2);
        for (long number = first; number < next; number++) {
            int to = (int) (number & (moreEvents.length - 1));
            moreEvents[to] = events[index(number)];
            moreArrivals[to] = arrivals[index(number)];
        }
        events = moreEvents;
        arrivals = moreArrivals;
    }

    @SuppressWarnings("NullAway") // an element outside the range of numbers is never read
    private void removeFirst() {
        bytes -= events[index(first)].bytes();
        events[index(first)] = null;
        first++;
    }

    /** Forgets the events that arrived before this time. */
    void removeBefore(long nanos) {
        while (first < next && arrivals[index(first)] - nanos < 0) {
            removeFirst();
        }
    }

    /** Forgets all events. Their numbers are not used again. */
    void clear() {
        events = new ChangeEvent[EVENTS_MIN];
        arrivals = new long[EVENTS_MIN];
        first = next;
        bytes = 0;
    }

    ChangeEvent get(long number) {
        return events[index(number)];
    }

    /** The number of the oldest event that is still known. */
    long first() {
        return first;
    }

    /** The number of the next event. */
    long next() {
        return next;
    }

    long bytes() {
        return bytes;
    }

    private int index(long number) {
        return (int) (number & (events.length - 1));
    }
}
