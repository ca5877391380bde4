package dev.weir.bench.core;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Allocation;
import dev.weir.core.admission.Grant;
import dev.weir.core.admission.Poll;
import dev.weir.core.admission.RunLimitValues;
import dev.weir.core.admission.RunLimiter;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitNeed;
import java.util.ArrayDeque;
import java.util.List;

/** One organisation with a given number of waiting steps, and workers that always poll for more. */
final class WaitingSteps {
    private static final String MODULE = "work";
    private static final int POLL_CLAIMS = 1_000_000_000;

    private final Admission admission = new Admission();
    private final ArrayDeque<Allocation> running = new ArrayDeque<>();
    private final Poll poll;
    private long now;
    private long number;

    /** Represents every step, because admission needs nothing of a step except its ticket. */
    private static final Subject STEP = new Subject() {};

    WaitingSteps() {
        poll = admission.openPoll(STEP, List.of(MODULE), POLL_CLAIMS, 0);
    }

    static TicketSpec spec(LimitNeed... needs) {
        return TicketSpec.of(MODULE, needs);
    }

    RunLimiter openRun(RunLimitValues limits) {
        return admission.openRun(limits, number, now);
    }

    /** Adds a ready step to an existing run. */
    void addStep(RunLimiter run, TicketSpec spec) {
        number++;
        admission.enqueue(run, spec, new Ticket.Entry(STEP, now, number, 0), now);
    }

    /** Adds a run of one step, which is ready. */
    void addRunOfOneStep(RunLimitValues limits, TicketSpec spec) {
        addStep(openRun(limits), spec);
    }

    void advanceClock(long micros) {
        now += micros;
    }

    /** Grants everything that may start, and returns the number of grants. */
    int pass() {
        int started = 0;
        do {
            for (Grant grant : admission.pass(now)) {
                running.add(grant.allocation());
                started++;
            }
        } while (admission.hasPendingWork());
        return started;
    }

    /** Ends the step that has run longest. */
    Allocation finishOldest() {
        Allocation oldest = running.remove();
        admission.release(oldest, now);
        return oldest;
    }

    /** Keeps the newest step running for ever, by removing it from the steps that end. */
    void keepNewestRunning() {
        running.removeLast();
    }

    boolean isPollOpen() {
        return poll.isOpen();
    }
}
