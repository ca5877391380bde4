package dev.weir.core.admission;

import java.util.List;

/** A worker's open request for work. It waits until a ticket may start. */
public final class Poll {
    /**
     * Maximum size of the response to one poll, in characters of JSON. Once it is reached, the rest waits for the next
     * poll.
     */
    public static final int LOAD_MAX = 8 * 1024 * 1024;

    private final Subject subject;
    final List<ModuleQueue> modules;
    private int places;
    private long load;

    Poll(Subject subject, List<ModuleQueue> modules, int places) {
        if (places < 1) {
            throw new IllegalArgumentException("a poll asks for at least 1 ticket, found " + places);
        }
        this.subject = subject;
        this.modules = modules;
        this.places = places;
    }

    public Subject subject() {
        return subject;
    }

    /** True if it can still get tickets. */
    public boolean open() {
        return places > 0 && load < LOAD_MAX;
    }

    void give(Subject given) {
        places--;
        if (places > 0) {
            load += given.load();
        }
    }

    void close() {
        places = 0;
    }
}
