package dev.weir.cli;

import dev.weir.api.LiveEvent;
import dev.weir.client.Client;
import dev.weir.client.LiveStream;
import dev.weir.client.StreamFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Follows the live stream, and hands its events to a view in groups, so that a busy server does not cause a request for
 * every event.
 */
final class WatchLoop {
    /** The shortest time between two groups. */
    static final Duration GROUP_INTERVAL = Duration.ofMillis(250);
    /** The time after which the view is refreshed without events, because the reasons for waiting change too. */
    static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

    private static final int GROUP_MAX = 10_000;

    private WatchLoop() {}

    /** A view of what is watched. */
    interface WatchView {
        /**
         * Shows events that arrived together; none if it is time to refresh.
         *
         * @return the exit code if the command ends
         */
        OptionalInt show(List<LiveEvent> events) throws InterruptedException;
    }

    /** Watches until the view ends or the user interrupts. Returns the exit code. */
    static int run(Client client, StreamFilter filter, WatchView view) {
        try (LiveStream stream = client.stream(filter)) {
            while (true) {
                OptionalInt exit = view.show(nextGroup(stream));
                if (exit.isPresent()) {
                    return exit.getAsInt();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return WatchOutput.EXIT_INTERRUPTED;
        }
    }

    private static List<LiveEvent> nextGroup(LiveStream stream) throws InterruptedException {
        List<LiveEvent> group = new ArrayList<>();
        Optional<LiveEvent> first = stream.next(REFRESH_INTERVAL);
        if (first.isEmpty()) {
            return group;
        }
        group.add(first.get());
        long end = System.nanoTime() + GROUP_INTERVAL.toNanos();
        // The first event is shown at once, because nobody has seen anything yet.
        boolean open = first.get() instanceof LiveEvent.Opened;
        while (!open && group.size() < GROUP_MAX && end - System.nanoTime() > 0) {
            stream.next(Duration.ofNanos(Math.max(0, end - System.nanoTime()))).ifPresent(group::add);
        }
        return group;
    }

    /** True if the state must be read again before the events make sense. */
    static boolean needsRead(List<LiveEvent> events) {
        return events.isEmpty()
                || events.stream()
                        .anyMatch(event -> event instanceof LiveEvent.Opened || event instanceof LiveEvent.Reset);
    }
}
