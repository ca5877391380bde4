package dev.weir.bench.core;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Grant;
import dev.weir.core.admission.Holding;
import dev.weir.core.admission.Poll;
import dev.weir.core.admission.RunGate;
import dev.weir.core.admission.RunLimits;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.Need;
import java.util.ArrayDeque;
import java.util.List;

/** One organisation with as many waiting steps as asked for, and workers that always want more. */
final class Crowd {
    private static final String MODULE = "work";
    private static final int PLACES = 1_000_000_000;

    private final Admission admission = new Admission();
    private final ArrayDeque<Holding> running = new ArrayDeque<>();
    private final Poll poll;
    private long now;
    private long number;

    /** Stands for every step: what a step is besides its ticket is not admission's. */
    private static final Subject STEP = new Subject() {};

    Crowd() {
        poll = admission.poll(STEP, List.of(MODULE), PLACES, 0);
    }

    static TicketSpec spec(Need... needs) {
        return TicketSpec.of(MODULE, needs);
    }

    RunGate openRun(RunLimits limits) {
        return admission.open(limits, number, now);
    }

    /** A step becomes ready in a run that is there already. */
    void ready(RunGate run, TicketSpec spec) {
        number++;
        admission.enqueue(run, spec, new Ticket.Entry(STEP, now, number, 0), now);
    }

    /** A run of one step is started. */
    void readyAlone(RunLimits limits, TicketSpec spec) {
        ready(openRun(limits), spec);
    }

    void passTime(long micros) {
        now += micros;
    }

    /** Grants what may start; tells how many. */
    int pass() {
        int started = 0;
        do {
            for (Grant grant : admission.pass(now)) {
                running.add(grant.holding());
                started++;
            }
        } while (admission.pending());
        return started;
    }

    /** Ends the step that has run longest. */
    Holding finishOldest() {
        Holding oldest = running.remove();
        admission.release(oldest, now);
        return oldest;
    }

    /** Keeps a step running for ever: it is not among those that end. */
    void keepNewest() {
        running.removeLast();
    }

    boolean hungry() {
        return poll.open();
    }
}
