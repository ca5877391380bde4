package dev.weir.engine.work;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.request.WorkerPort;
import dev.weir.worker.SourceFailure;
import dev.weir.worker.WorkSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A node in this process as the source of a worker. */
final class EngineWorkSource implements WorkSource<Assignment, UpdateStep> {
    private static final String WORKER = "this process";
    private static final int MICROS_PER_MILLI = 1_000;

    private final WorkerPort weir;
    private final String org;
    private final ClaimWork.ServedModule module;
    private final Duration lease;

    EngineWorkSource(WorkerPort weir, String org, ModuleInfo module, Duration lease) {
        this.weir = weir;
        this.org = org;
        this.module = new ClaimWork.ServedModule(module.id(), module.profile());
        this.lease = lease;
    }

    @Override
    public Claimed<Assignment> claim(ClaimCall<UpdateStep> call) throws InterruptedException {
        List<CompletableFuture<UpdateStep.Answer>> reports = send(call.reports());
        var work = new ClaimWork(call.request(), WORKER, List.of(module), call.limit(), Moment.micros(lease));
        CompletableFuture<List<Assignment>> poll = weir.claim(org, work, call.waitTime());
        try {
            return new Claimed<>(await(poll), outcomes(reports));
        } catch (InterruptedException e) {
            poll.cancel(false);
            throw e;
        }
    }

    @Override
    public List<Outcome> report(List<UpdateStep> reports) throws InterruptedException {
        return outcomes(send(reports));
    }

    private List<CompletableFuture<UpdateStep.Answer>> send(List<UpdateStep> reports) {
        return reports.stream().map(report -> weir.send(org, report)).toList();
    }

    private static List<Outcome> outcomes(List<CompletableFuture<UpdateStep.Answer>> answers)
            throws InterruptedException {
        List<Outcome> outcomes = new ArrayList<>(answers.size());
        for (CompletableFuture<UpdateStep.Answer> answer : answers) {
            try {
                UpdateStep.Answer unused = await(answer);
                outcomes.add(Outcome.RECEIVED);
            } catch (SourceFailure.Refused e) {
                outcomes.add(new Outcome(String.valueOf(e.getMessage())));
            }
        }
        return outcomes;
    }

    private static <A> A await(CompletableFuture<A> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (CancellationException e) {
            throw new SourceFailure.Unavailable("the request was cancelled", null, e);
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        if (e.getCause() instanceof Unavailable unavailable) {
            return new SourceFailure.Unavailable(
                    String.valueOf(unavailable.getMessage()), unavailable.retryAfter(), unavailable);
        }
        if (e.getCause() instanceof CommandFailed failed) {
            return new SourceFailure.Refused(String.valueOf(failed.getMessage()), false, failed);
        }
        return new IllegalStateException(e);
    }

    @Override
    public List<Renewal> renew(List<Assignment> claims) throws InterruptedException {
        List<CompletableFuture<Heartbeat.Answer>> answers = claims.stream()
                .map(assignment -> weir.send(
                        org,
                        new Heartbeat(
                                assignment.claim().unit(), assignment.claim().fence())))
                .toList();
        long deadline = System.nanoTime() + lease.toNanos() / 3;
        List<Renewal> renewals = new ArrayList<>(answers.size());
        for (CompletableFuture<Heartbeat.Answer> answer : answers) {
            renewals.add(renewal(answer, deadline));
        }
        return renewals;
    }

    private static Renewal renewal(CompletableFuture<Heartbeat.Answer> answer, long deadline)
            throws InterruptedException {
        try {
            return switch (answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                case Heartbeat.Answer.Extended extended ->
                    Renewal.extended(extended.remaining() / MICROS_PER_MILLI, extended.cancelRequested());
                case Heartbeat.Answer.ClaimLost ignored -> Renewal.LOST;
            };
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            return Renewal.UNKNOWN;
        }
    }

    /** Returns 0, because reports in this process have no common size limit. */
    @Override
    public int bytes(UpdateStep report) {
        return 0;
    }
}
