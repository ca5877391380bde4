package dev.weir.engine.work;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Update;
import dev.weir.engine.request.WorkerPort;
import dev.weir.engine.secret.SecretFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Turns granted claims into the form that workers receive, with secrets in their inputs. */
public final class SecretInjection {
    /** The longest time for which the other claims wait until the failure of a step without its secret is recorded. */
    private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);

    private SecretInjection() {}

    /**
     * Resolves the secrets of granted claims. A step with an unknown secret is reported as permanently failed, and is
     * left out; the others are returned. If that report is lost, the next claim of the step repeats it.
     *
     * @param resolver converts a granted claim to the worker's form; throws {@link SecretFailure}
     */
    public static <T> List<T> resolve(
            WorkerPort weir, String org, List<Assignment> assignments, Function<Assignment, T> resolver) {
        List<T> resolved = new ArrayList<>();
        List<CompletableFuture<UpdateStep.Answer>> failed = new ArrayList<>();
        for (Assignment assignment : assignments) {
            try {
                resolved.add(resolver.apply(assignment));
            } catch (SecretFailure missing) {
                Claim claim = assignment.claim();
                var failure = new Update.Failed(String.valueOf(missing.getMessage()), true);
                failed.add(weir.send(org, new UpdateStep(claim.unit(), claim.fence(), failure)));
            }
        }
        CompletableFuture.allOf(failed.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, REPORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(unavailable -> null)
                .join();
        return resolved;
    }
}
