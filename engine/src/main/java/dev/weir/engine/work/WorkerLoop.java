package dev.weir.engine.work;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Update;
import dev.weir.engine.request.WorkerPort;
import dev.weir.engine.secret.SecretFailure;
import dev.weir.worker.Attempt;
import dev.weir.worker.AttemptHandler;
import dev.weir.worker.Troubles;
import dev.weir.worker.WorkLoop;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker in this process: polls for the work of one module, runs it on virtual threads, keeps its claims alive, and
 * reports. Its loop is the same as that of a worker over HTTP.
 */
public final class WorkerLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    /** The time that a close waits for handlers. A handler may run for as long as it keeps its claim. */
    private static final Duration GRACE = Duration.ofDays(3_650);

    private final WorkLoop<Assignment, UpdateStep> loop;

    /**
     * The settings of a worker.
     *
     * @param resolver converts a granted claim to what a handler receives, with its secrets
     */
    public record HandlerSettings(
            ModuleInfo module,
            Duration lease,
            int concurrency,
            ModuleHandler handler,
            Function<Assignment, WorkClaim> resolver) {
        public HandlerSettings {
            if (concurrency < 1) {
                throw new IllegalArgumentException("concurrency must be at least 1, found " + concurrency);
            }
        }
    }

    public WorkerLoop(WorkerPort weir, String org, HandlerSettings job) {
        var settings = new WorkLoop.Settings(
                "weir worker " + job.module.id(), job.concurrency, job.lease, WorkerPort.WAIT_MAX, GRACE);
        var troubles = new Troubles((level, message) -> LOG.warn("Worker of module {}: {}", job.module.id(), message));
        this.loop = WorkLoop.start(
                new EngineWorkSource(weir, org, job.module, job.lease), new HandlerRunner(job), settings, troubles);
    }

    /** Runs the handler of a module and turns its outcome into a report. */
    private record HandlerRunner(HandlerSettings job) implements AttemptHandler<Assignment, UpdateStep> {
        @Override
        public UpdateStep run(Attempt<Assignment> attempt) {
            try {
                return report(attempt.claim(), ClaimExecution.checkStorable(handle(attempt.claim())));
            } catch (SecretFailure e) {
                return refused(attempt.claim(), String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                return report(attempt.claim(), new Update.Failed(String.valueOf(e), false));
            } finally {
                Thread.interrupted(); // an interrupt was meant for the handler only
            }
        }

        private Update handle(Assignment assignment) {
            WorkClaim claim = job.resolver.apply(assignment);
            try {
                return job.handler.handle(claim);
            } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
                return claim.log().logFailure(e);
            } finally {
                claim.log().flush();
            }
        }

        private static UpdateStep report(Assignment assignment, Update update) {
            return new UpdateStep(assignment.claim().unit(), assignment.claim().fence(), update);
        }

        @Override
        public boolean isFailure(UpdateStep report) {
            return report.update() instanceof Update.Failed;
        }

        @Override
        public UpdateStep refused(Assignment assignment, String reason) {
            return report(assignment, new Update.Failed(reason, true));
        }

        @Override
        public String describe(Assignment assignment) {
            return assignment.claim().unit().toString();
        }
    }

    /**
     * Stops polling, and waits for running handlers. If the waiting thread is interrupted, so are the handlers. A
     * handler that fails then is not reported, and its claim expires.
     */
    @Override
    public void close() {
        loop.close();
    }
}
