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
    private static final long POLL_TIMEOUT = 1L << 60;

    private final Supplier<Shard> shard;
    private final LongSupplier clock;
    private final Map<String, ModuleWorkers> byModule = new LinkedHashMap<>();
    private final List<HandlerThread> handlerThreads = new ArrayList<>();
    private int requests;

    /** The workers of one module. */
    private static final class ModuleWorkers {
        final String module;
        final int concurrency;
        final TestHandler handler;
        final List<PendingPoll> openPolls = new ArrayList<>();
        final List<HandlerThread> handlerThreads = new ArrayList<>();

        ModuleWorkers(String module, int concurrency, TestHandler handler) {
            this.module = module;
            this.concurrency = concurrency;
            this.handler = handler;
        }

        int freeWorkers() {
            return concurrency
                    - handlerThreads.size()
                    - openPolls.stream().mapToInt(PendingPoll::capacity).sum();
        }
    }

    /** A poll for work that is not answered yet. */
    private record PendingPoll(int capacity, CompletableFuture<List<Assignment>> answer) {}

    TestWorkers(Supplier<Shard> shard, LongSupplier clock) {
        this.shard = shard;
        this.clock = clock;
    }

    void serve(String module, int concurrency, TestHandler handler) {
        if (concurrency < 1 || concurrency > ClaimWork.CLAIMS_MAX) {
            throw new IllegalArgumentException(
                    "concurrency must be from 1 to " + ClaimWork.CLAIMS_MAX + ", found " + concurrency);
        }
        stopServing(module);
        byModule.put(module, new ModuleWorkers(module, concurrency, handler));
    }

    /** Removes the workers of a module. Handlers that are at work continue. */
    void stopServing(String module) {
        ModuleWorkers workers = byModule.remove(module);
        if (workers != null) {
            workers.openPolls.forEach(poll -> poll.answer.cancel(false));
        }
    }

    /** Polls for as much work as the free workers can take. */
    void poll() {
        for (ModuleWorkers workers : byModule.values()) {
            int capacity = workers.freeWorkers();
            if (capacity > 0) {
                requests++;
                var serves = List.of(new ClaimWork.ServedModule(workers.module));
                var work = new ClaimWork("request-" + requests, "worker", serves, capacity, LEASE);
                workers.openPolls.add(
                        new PendingPoll(capacity, shard.get().claim(VirtualWeir.ORG, work, POLL_TIMEOUT)));
            }
        }
    }

    /** Forgets the open polls and heartbeats, because the node that should answer them is gone. */
    void forgetOpenRequests() {
        byModule.values().forEach(workers -> workers.openPolls.clear());
        handlerThreads.forEach(handlerThread -> handlerThread.heartbeat = null);
    }

    /** Does everything that can be done now. Returns true if there was anything to do. */
    boolean runDue() {
        boolean any = false;
        for (ModuleWorkers workers : List.copyOf(byModule.values())) {
            for (PendingPoll poll : List.copyOf(workers.openPolls)) {
                if (poll.answer.isDone()) {
                    workers.openPolls.remove(poll);
                    poll.answer.join().forEach(assignment -> begin(workers, assignment));
                    any = true;
                }
            }
        }
        for (HandlerThread handlerThread : List.copyOf(handlerThreads)) {
            any |= advance(handlerThread);
        }
        return any;
    }

    private void begin(ModuleWorkers workers, Assignment assignment) {
        var handlerThread = new HandlerThread(assignment, workers.handler, clock);
        handlerThread.nextHeartbeatAt = clock.getAsLong() + LEASE / 3;
        handlerThreads.add(handlerThread);
        workers.handlerThreads.add(handlerThread);
        handlerThread.begin();
    }

    private boolean advance(HandlerThread handlerThread) {
        long now = clock.getAsLong();
        boolean any = applyHeartbeat(handlerThread);
        if (handlerThread.report() == null && handlerThread.wakeAt() <= now) {
            handlerThread.resume();
            any = true;
        }
        Update report = handlerThread.report();
        if (report != null) {
            finish(handlerThread);
            report(handlerThread.assignment, report);
            return true;
        }
        if (handlerThread.nextHeartbeatAt <= now) {
            var claim = handlerThread.assignment.claim();
            handlerThread.heartbeat = shard.get().send(VirtualWeir.ORG, new Heartbeat(claim.unit(), claim.fence()));
            handlerThread.nextHeartbeatAt = now + LEASE / 3;
            any = true;
        }
        return any;
    }

    /**
     * Handles the answer to the last heartbeat, and stops the handler if its claim is lost. Returns true if there was
     * an answer.
     */
    private static boolean applyHeartbeat(HandlerThread handlerThread) {
        var heartbeat = handlerThread.heartbeat;
        if (heartbeat == null || !heartbeat.isDone()) {
            return false;
        }
        handlerThread.heartbeat = null;
        if (!(heartbeat.join() instanceof Heartbeat.Answer.Extended extended) || extended.cancelRequested()) {
            handlerThread.stop();
        }
        return true;
    }

    private void finish(HandlerThread handlerThread) {
        handlerThreads.remove(handlerThread);
        byModule.values().forEach(workers -> workers.handlerThreads.remove(handlerThread));
    }

    private void report(Assignment assignment, Update report) {
        var claim = assignment.claim();
        var unused = shard.get().send(VirtualWeir.ORG, new UpdateStep(claim.unit(), claim.fence(), report));
    }

    boolean isBusy() {
        return !handlerThreads.isEmpty();
    }

    /** The time at which a handler next wakes up or sends a heartbeat. */
    long nextEventAt() {
        long next = Moment.NEVER;
        for (HandlerThread handlerThread : handlerThreads) {
            next = Math.min(next, Math.min(handlerThread.wakeAt(), handlerThread.nextHeartbeatAt));
        }
        return next;
    }

    /** Stops every handler that is still at work. */
    void stopAll() {
        handlerThreads.forEach(HandlerThread::stop);
        handlerThreads.clear();
        byModule.clear();
    }
}
