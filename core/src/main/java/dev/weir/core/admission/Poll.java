package dev.weir.core.admission;

import java.util.List;

/** A request for work that waits until something may start. */
public final class Poll {
    private final Subject subject;
    final List<Module> modules;
    private int places;

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
        return places > 0;
    }

    void fillOne() {
        places--;
    }

    void close() {
        places = 0;
    }
}
