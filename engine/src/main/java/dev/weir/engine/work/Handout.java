package dev.weir.engine.work;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.Claim;
import dev.weir.core.life.Update;
import dev.weir.core.life.UpdateStep;
import dev.weir.engine.Weir;
import dev.weir.engine.call.MissingSecret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Granted claims as workers get them, with their secrets. */
public final class Handout {
    /** How long the others wait until it is known that a step without its secret has failed. */
    private static final Duration FAILED_WITHIN = Duration.ofSeconds(5);

    private Handout() {}

    /**
     * Opens what was granted. A step whose secret is not known fails for good, and says so, instead of going out; the others
     * go out all the same. A failure that does not get through comes again with the next claim of that step.
     *
     * @param opened makes of what was granted what a worker is given; throws {@link MissingSecret}
     */
    public static <T> List<T> of(Weir weir, String org, List<Assignment> given, Function<Assignment, T> opened) {
        List<T> out = new ArrayList<>();
        List<CompletableFuture<UpdateStep.Answer>> failed = new ArrayList<>();
        for (Assignment assignment : given) {
            try {
                out.add(opened.apply(assignment));
            } catch (MissingSecret missing) {
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
