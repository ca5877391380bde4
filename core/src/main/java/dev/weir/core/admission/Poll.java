package dev.weir.core.admission;

import java.util.List;

/** A request for work that waits until something may start. */
public final class Poll {
    /** What one poll is given, in characters of JSON: once there is so much, the rest waits for the next one. */
    public static final int LOAD_MAX = 8 * 1024 * 1024;

    private final Subject subject;
    final List<Module> modules;
    private int places;
    private long load;

    Poll(Subject subject, List<Module> modules, int places) {
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

    /** Whether it can still be given tickets. */
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
