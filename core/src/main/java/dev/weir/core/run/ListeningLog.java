package dev.weir.core.run;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.ListeningSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Tracks when the workers of an organisation were reachable. After a time in which they were not, claims do not end
 * for a while, so that healthy workers can renew theirs first. A worker that has been silent for long enough while it
 * were reachable gets no more grace. The sum of that silence survives stalls and restarts, and is stored while claims
 * wait for their workers. Otherwise a node that dies again and again would never let a claim end.
 */
final class ListeningLog {
    /** The time during which no claim ends after workers were not reachable, in microseconds. */
    static final long GRACE = 10_000_000;
    /** The total time that a worker may be silent while it was reachable, in microseconds. */
    static final long SILENCE_MAX = 12_000_000;
    /** The listening time between two records, in microseconds. Listening after a node's last record is not counted. */
    static final long RECORD_INTERVAL = 1_000_000;
    /**
     * The maximum number of stored spans. Each is at least as long as the time between two records, so more would not
     * matter.
     */
    static final int SPANS_MAX = (int) (SILENCE_MAX / RECORD_INTERVAL);

    private static final long ALWAYS = Long.MIN_VALUE;

    private final Deque<ListeningSpan> earlier = new ArrayDeque<>();
    /** The time since which workers are reachable without a break, and the time until which that was recorded. */
    private long since = ALWAYS;

    private long recordedUntil = ALWAYS;
    /** The latest time until which an overdue claim waits for its worker. */
    private long postponedUntil = ALWAYS;

    void restore(Collection<ListeningSpan> spans) {
        earlier.addAll(spans);
    }

    /** Returns all recorded spans, oldest first. */
    List<ListeningSpan> spans() {
        List<ListeningSpan> all = new ArrayList<>(earlier);
        if (recordedUntil > since) {
            all.add(new ListeningSpan(since, recordedUntil));
        }
        return all.size() > SPANS_MAX ? all.subList(all.size() - SPANS_MAX, all.size()) : all;
    }

    /** Records that workers were not reachable until the given time, and are reachable from then on. */
    void startListening(long at) {
        if (at <= since) {
            return;
        }
        if (recordedUntil > since) {
            earlier.addLast(new ListeningSpan(since, recordedUntil));
        }
        while (earlier.size() > SPANS_MAX) {
            earlier.removeFirst();
        }
        since = at;
        // This memory may have been loaded again after the span was first recorded.
        boolean wasRecorded = !earlier.isEmpty() && earlier.getLast().since() == at;
        recordedUntil = wasRecorded ? earlier.removeLast().until() : at;
    }

    /** Returns the earliest time at which a claim may end that was last renewed at the given time. */
    long earliestExpiry(long renewedAt) {
        if (since == ALWAYS) {
            return ALWAYS;
        }
        long listened = 0;
        for (ListeningSpan span : earlier) {
            listened += span.durationAfter(renewedAt);
        }
        return since + Math.clamp(SILENCE_MAX - listened, 0, GRACE);
    }

    /** Records that an overdue claim waits for its worker until the given time. */
    void postponeExpiry(long until) {
        postponedUntil = Math.max(postponedUntil, until);
    }

    /** Returns the time at which the next record is due. */
    long nextRecordAt() {
        long next = since == ALWAYS ? Moment.NEVER : recordedUntil + RECORD_INTERVAL;
        return next < postponedUntil ? next : Moment.NEVER;
    }

    /** Records that workers were reachable until now, if a record is due. Returns true if it was. */
    boolean recordIfDue(long now) {
        boolean due = now >= nextRecordAt();
        recordedUntil = due ? now : recordedUntil;
        return due;
    }
}
