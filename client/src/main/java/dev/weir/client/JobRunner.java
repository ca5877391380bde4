package dev.weir.client;

import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.WorkClaim;
import dev.weir.worker.Attempt;
import dev.weir.worker.AttemptHandler;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the handlers of a worker's jobs and turns their outcomes into reports. */
final class JobRunner implements AttemptHandler<Job, EncodedReport> {
    private final Map<String, Handler.WithoutInput> handlers;
    private final LogSender logs;

    JobRunner(Map<String, Handler.WithoutInput> handlers, LogSender logs) {
        this.handlers = Map.copyOf(handlers);
        this.logs = logs;
    }

    @Override
    public void opened(Attempt<Job> attempt) {
        attempt.claim().attach(attempt);
        logs.add(attempt.claim());
    }

    @Override
    public EncodedReport run(Attempt<Job> attempt) {
        Job job = attempt.claim();
        WorkClaim claim = job.claim();
        try {
            Handler.WithoutInput handler = handlers.get(claim.module());
            if (handler == null) {
                return EncodedReport.failed(claim, "this worker does not serve " + claim.module(), false);
            }
            return EncodedReport.withOutput(claim, "completed", handler.handle(job));
        } catch (Handler.Permanent e) {
            return EncodedReport.failed(claim, describe(e), true);
        } catch (Handler.Failed e) {
            ModuleStatusUpdate failed = ModuleStatusUpdate.failed(claim, describe(e), false);
            return EncodedReport.of(
                    e.retryAfter() == null
                            ? failed
                            : failed.withDelay(e.retryAfter().toMillis() + "ms"));
        } catch (Handler.Reschedule e) {
            return report(claim, "rescheduled", e.delay().toMillis() + "ms");
        } catch (Handler.NeedsInput e) {
            return EncodedReport.withOutput(claim, "needs_input", e.prompt());
        } catch (Handler.NothingToDo e) {
            return report(claim, "no_op", null);
        } catch (InterruptedException e) {
            return EncodedReport.failed(claim, "interrupted", false);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            job.logText(stackTrace(e));
            return EncodedReport.failed(claim, describe(e), false);
        } finally {
            Thread.interrupted(); // an interrupt was meant for the handler only
        }
    }

    private static EncodedReport report(WorkClaim claim, String result, @Nullable String delay) {
        return EncodedReport.of(new ModuleStatusUpdate(
                claim.run(), claim.step(), claim.item(), claim.fence(), result, null, null, null, delay));
    }

    @Override
    public boolean isFailure(EncodedReport report) {
        return report.failure();
    }

    @Override
    public EncodedReport refused(Job job, String reason) {
        return EncodedReport.failed(job.claim(), reason, true);
    }

    /** Sends the rest of the logs, because the server accepts none after the report. */
    @Override
    public void beforeReports(List<Attempt<Job>> attempts) throws InterruptedException {
        logs.finish(attempts.stream().map(Attempt::claim).toList());
    }

    @Override
    public String describe(Job job) {
        return job.toString();
    }

    private static String stackTrace(Throwable failure) {
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private static String describe(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : LogBuffer.sanitize(message);
    }
}
