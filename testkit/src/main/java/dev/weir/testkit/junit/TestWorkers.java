package dev.weir.testkit.junit;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Update;
import dev.weir.engine.shard.Shard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The workers of a test. They poll for work, run the test's handlers, send heartbeats and report. */
final class TestWorkers {
    /** The time for which a claim lasts without a heartbeat, in microseconds. */
    private static final long LEASE = 30_000_000;
    /** The timeout of a poll. It is longer than any test, so a worker polls once and waits. */
    private static final long WAIT = 1L << 60;

    private final Supplier<Shard> shard;
    private final LongSupplier clock;
    private final Map<String, Desk> desks = new LinkedHashMap<>();
    private final List<HandlerThread> bouts = new ArrayList<>();
    private int requests;

    /** The workers of one module. */
    private static final class Desk {
        final String module;
        final int concurrency;
        final TestHandler handler;
        final List<Ask> asks = new ArrayList<>();
        final List<HandlerThread> bouts = new ArrayList<>();

        Desk(String module, int concurrency, TestHandler handler) {
            this.module = module;
            this.concurrency = concurrency;
            this.handler = handler;
        }

        int free() {
            return concurrency
                    - bouts.size()
                    - asks.stream().mapToInt(Ask::places).sum();
        }
    }

    /** A poll for work that is not answered yet. */
    private record Ask(int places, CompletableFuture<List<Assignment>> answer) {}

    TestWorkers(Supplier<Shard> shard, LongSupplier clock) {
        this.shard = shard;
        this.clock = clock;
    }

    void serve(String module, int concurrency, TestHandler handler) {
        if (concurrency < 1 || concurrency > ClaimWork.CLAIMS_MAX) {
            throw new IllegalArgumentException(
                    "concurrency must be from 1 to " + ClaimWork.CLAIMS_MAX + ", found " + concurrency);
        }
        leave(module);
        desks.put(module, new Desk(module, concurrency, handler));
    }

    /** Removes the workers of a module. Handlers that are at work continue. */
    void leave(String module) {
        Desk desk = desks.remove(module);
        if (desk != null) {
            desk.asks.forEach(ask -> ask.answer.cancel(false));
        }
    }

    /** Polls for as much work as the free workers can take. */
    void ask() {
        for (Desk desk : desks.values()) {
            int places = desk.free();
            if (places > 0) {
                requests++;
                var serves = List.of(new ClaimWork.Serves(desk.module));
                var work = new ClaimWork("request-" + requests, "worker", serves, places, LEASE);
                desk.asks.add(new Ask(places, shard.get().claim(VirtualWeir.ORG, work, WAIT)));
            }
        }
    }

    /** Forgets the open polls and heartbeats, because the node that should answer them is gone. */
    void askAgain() {
        desks.values().forEach(desk -> desk.asks.clear());
        bouts.forEach(bout -> bout.beat = null);
    }

    /** Does everything that can be done now. Returns true if there was anything to do. */
    boolean work() {
        boolean any = false;
        for (Desk desk : List.copyOf(desks.values())) {
            for (Ask ask : List.copyOf(desk.asks)) {
                if (ask.answer.isDone()) {
                    desk.asks.remove(ask);
                    ask.answer.join().forEach(assignment -> begin(desk, assignment));
                    any = true;
                }
            }
        }
        for (HandlerThread bout : List.copyOf(bouts)) {
            any |= carryOn(bout);
        }
        return any;
    }

    private void begin(Desk desk, Assignment assignment) {
        var bout = new HandlerThread(assignment, desk.handler, clock);
        bout.nextBeat = clock.getAsLong() + LEASE / 3;
        bouts.add(bout);
        desk.bouts.add(bout);
        bout.begin();
    }

    private boolean carryOn(HandlerThread bout) {
        long now = clock.getAsLong();
        boolean any = heed(bout);
        if (bout.report() == null && bout.until() <= now) {
            bout.goOn();
            any = true;
        }
        Update report = bout.report();
        if (report != null) {
            finish(bout);
            tell(bout.assignment, report);
            return true;
        }
        if (bout.nextBeat <= now) {
            var claim = bout.assignment.claim();
            bout.beat = shard.get().send(VirtualWeir.ORG, new Heartbeat(claim.unit(), claim.fence()));
            bout.nextBeat = now + LEASE / 3;
            any = true;
        }
        return any;
    }

    /**
     * Handles the answer to the last heartbeat, and stops the handler if its claim is lost. Returns true if there was
     * an answer.
     */
    private static boolean heed(HandlerThread bout) {
        var beat = bout.beat;
        if (beat == null || !beat.isDone()) {
            return false;
        }
        bout.beat = null;
        if (!(beat.join() instanceof Heartbeat.Answer.Extended extended) || extended.cancelRequested()) {
            bout.stop();
        }
        return true;
    }

    private void finish(HandlerThread bout) {
        bouts.remove(bout);
        desks.values().forEach(desk -> desk.bouts.remove(bout));
    }

    private void tell(Assignment assignment, Update report) {
        var claim = assignment.claim();
        var unused = shard.get().send(VirtualWeir.ORG, new UpdateStep(claim.unit(), claim.fence(), report));
    }

    boolean busy() {
        return !bouts.isEmpty();
    }

    /** The time at which a handler next wakes up or sends a heartbeat. */
    long next() {
        long next = Moment.NEVER;
        for (HandlerThread bout : bouts) {
            next = Math.min(next, Math.min(bout.until(), bout.nextBeat));
        }
        return next;
    }

    /** Stops every handler that is still at work. */
    void dismiss() {
        bouts.forEach(HandlerThread::stop);
        bouts.clear();
        desks.clear();
    }
}
