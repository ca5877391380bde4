package dev.weir.core.admission;

import java.util.List;

/** A worker's open request for work. It waits until a ticket may start. */
public final class Poll {
    /**
     * Maximum size of the response to one poll, in characters of JSON. Once it is reached, the rest waits for the next
     * poll.
     */
    public static final int RESPONSE_SIZE_MAX = 8 * 1024 * 1024;

    private final Subject subject;
    final List<ModuleQueue> modules;
    private int remainingTickets;
    private long responseSize;

    Poll(Subject subject, List<ModuleQueue> modules, int maxTickets) {
        if (maxTickets < 1) {
            throw new IllegalArgumentException("a poll asks for at least 1 ticket, found " + maxTickets);
        }
        this.subject = subject;
        this.modules = modules;
        this.remainingTickets = maxTickets;
    }

    public Subject subject() {
        return subject;
    }

    /** True if it can still get tickets. */
    public boolean isOpen() {
        return remainingTickets > 0 && responseSize < RESPONSE_SIZE_MAX;
    }

    void assign(Subject assigned) {
        remainingTickets--;
        if (remainingTickets > 0) {
            responseSize += assigned.responseSize();
        }
    }

    void close() {
        remainingTickets = 0;
    }
}
