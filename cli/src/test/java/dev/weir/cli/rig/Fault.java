package dev.weir.cli.rig;

import dev.weir.cli.rig.CommitTrap.CommitPoint;

/** The faults of a storm: what fails, how far the commit in flight gets, and how often the fault is injected. */
enum Fault {
    KILL_BEFORE_COMMIT("kill -9 of the node, COMMIT held before the server", CommitPoint.HELD, 5),
    KILL_DURING_COMMIT("kill -9 of the node, COMMIT just forwarded", CommitPoint.FORWARDED, 3),
    KILL_AFTER_COMMIT("kill -9 of the node, COMMIT done and not answered", CommitPoint.ANSWERED, 2),
    STOP_BEFORE_COMMIT("immediate stop of PostgreSQL, COMMIT held before the server", CommitPoint.HELD, 1),
    STOP_DURING_COMMIT("immediate stop of PostgreSQL, COMMIT just forwarded", CommitPoint.FORWARDED, 2),
    CUT_BEFORE_COMMIT("connection cut before COMMIT", CommitPoint.HELD, 20),
    CUT_AFTER_COMMIT("connection cut after COMMIT", CommitPoint.ANSWERED, 20);

    final String description;
    final CommitPoint commitPoint;
    final int times;

    Fault(String description, CommitPoint commitPoint, int times) {
        this.description = description;
        this.commitPoint = commitPoint;
        this.times = times;
    }

    boolean killsTheNode() {
        return this == KILL_BEFORE_COMMIT || this == KILL_DURING_COMMIT || this == KILL_AFTER_COMMIT;
    }

    boolean stopsPostgres() {
        return this == STOP_BEFORE_COMMIT || this == STOP_DURING_COMMIT;
    }
}
