package dev.weir.engine.work;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Update;
import dev.weir.engine.Weir;
import dev.weir.engine.call.SecretFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Turns granted claims into the form that workers receive, with secrets in their inputs. */
public final class SecretInjection {
    /** The longest time for which the other claims wait until the failure of a step without its secret is recorded. */
    private static final Duration FAILED_WITHIN = Duration.ofSeconds(5);

    private SecretInjection() {}

    /**
     * Resolves the secrets of granted claims. A step with an unknown secret is reported as permanently failed, and is
     * left out; the others are returned. If that report is lost, the next claim of the step repeats it.
     *
     * @param opened converts a granted claim to the worker's form; throws {@link SecretFailure}
     */
    public static <T> List<T> of(Weir weir, String org, List<Assignment> given, Function<Assignment, T> opened) {
        List<T> out = new ArrayList<>();
        List<CompletableFuture<UpdateStep.Answer>> failed = new ArrayList<>();
        for (Assignment assignment : given) {
            try {
                out.add(opened.apply(assignment));
            } catch (SecretFailure missing) {
                Claim claim = assignment.claim();
                var why = new Update.Failed(String.valueOf(missing.getMessage()), true);
                failed.add(weir.send(org, new UpdateStep(claim.unit(), claim.fence(), why)));
            }
        }
        CompletableFuture.allOf(failed.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, FAILED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(unavailable -> null)
                .join();
        return out;
    }
}
