package dev.weir.client;

import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.WorkClaim;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs the handler of a job and turns its outcome into a report. */
final class JobRunner {
    private JobRunner() {}

    static String name(Job job) {
        WorkClaim claim = job.claim();
        return claim.run() + "/" + claim.step() + (claim.item() == null ? "" : "/" + claim.item());
    }

    static ModuleStatusUpdate run(Job job, Map<String, Handler> handlers) {
        WorkClaim claim = job.claim();
        job.begin(Thread.currentThread());
        try {
            Handler handler = handlers.get(claim.module());
            if (handler == null) {
                return ModuleStatusUpdate.failed(claim, "this worker does not serve " + claim.module(), false);
            }
            return ModuleStatusUpdate.completed(claim, handler.handle(job));
        } catch (Handler.Permanent e) {
            return ModuleStatusUpdate.failed(claim, describe(e), true);
        } catch (Handler.Failed e) {
            ModuleStatusUpdate failed = ModuleStatusUpdate.failed(claim, describe(e), false);
            return e.retryAfter() == null
                    ? failed
                    : failed.withDelay(e.retryAfter().toMillis() + "ms");
        } catch (Handler.Reschedule e) {
            return report(claim, "rescheduled", null, e.delay().toMillis() + "ms");
        } catch (Handler.NeedsInput e) {
            return report(claim, "needs_input", e.prompt(), null);
        } catch (Handler.NothingToDo e) {
            return report(claim, "no_op", null, null);
        } catch (InterruptedException e) {
            return ModuleStatusUpdate.failed(claim, "interrupted", false);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            job.logText(stackTrace(e));
            return ModuleStatusUpdate.failed(claim, describe(e), false);
        } finally {
            job.end();
            Thread.interrupted(); // an interrupt was meant for the handler only
        }
    }

    private static ModuleStatusUpdate report(
            WorkClaim claim, String result, @Nullable JsonNode output, @Nullable String delay) {
        return new ModuleStatusUpdate(
                claim.run(), claim.step(), claim.item(), claim.fence(), result, output, null, null, delay);
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
