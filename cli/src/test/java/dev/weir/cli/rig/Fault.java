package dev.weir.cli.rig;

import dev.weir.cli.rig.Trap.Place;

/** The faults of a storm: what fails, how far the commit in flight gets, and how often the fault is injected. */
enum Fault {
    KILL_BEFORE_COMMIT("kill -9 of the node, COMMIT held before the server", Place.HELD, 5),
    KILL_DURING_COMMIT("kill -9 of the node, COMMIT just forwarded", Place.FORWARDED, 3),
    KILL_AFTER_COMMIT("kill -9 of the node, COMMIT done and not answered", Place.ANSWERED, 2),
    STOP_BEFORE_COMMIT("immediate stop of PostgreSQL, COMMIT held before the server", Place.HELD, 1),
    STOP_DURING_COMMIT("immediate stop of PostgreSQL, COMMIT just forwarded", Place.FORWARDED, 2),
    CUT_BEFORE_COMMIT("connection cut before COMMIT", Place.HELD, 20),
    CUT_AFTER_COMMIT("connection cut after COMMIT", Place.ANSWERED, 20);

    final String words;
    final Place place;
    final int times;

    Fault(String words, Place place, int times) {
        this.words = words;
        this.place = place;
        this.times = times;
    }

    boolean killsTheNode() {
        return this == KILL_BEFORE_COMMIT || this == KILL_DURING_COMMIT || this == KILL_AFTER_COMMIT;
    }

    boolean stopsPostgres() {
        return this == STOP_BEFORE_COMMIT || this == STOP_DURING_COMMIT;
    }
}
