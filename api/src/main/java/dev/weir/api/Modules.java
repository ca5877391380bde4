package dev.weir.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Responses about modules and the workers that serve them. */
public final class Modules {
    /** The most modules that a worker's view names. */
    public static final int MODULES_NAMED_MAX = 20;

    private Modules() {}

    /**
     * The present state of a module. It says what to scale: {@code ready} steps need workers, held ones do not.
     *
     * @param builtIn true if Weir serves the module itself
     * @param waiting the number of steps and items that wait, for whatever reason
     * @param ready the number of those that lack only a worker: all their limits would let them start now
     * @param oldestReadySince the time since when the oldest of these has waited; absent if there is none
     * @param held the number of waiting steps by the kind of limit that holds them: run, tick, fan_out,
     *     key_capacity, key_rate, runs, paused, over_capacity, reserved. Kinds that hold none are absent
     * @param running the number of steps and items in flight
     * @param demand ready and running together: the number of places that workers could use now
     * @param pollingWorkers the number of workers that wait for work of the module now
     * @param freePlaces the number of steps that these workers would take at once; a place that serves several
     *     modules counts for each of them
     * @param defaults the demands on a run that its workers registered; absent if they registered none
     */
    public record ModuleView(
            String module,
            boolean builtIn,
            long waiting,
            long ready,
            @Nullable Instant oldestReadySince,
            Map<String, Long> held,
            long running,
            long demand,
            int pollingWorkers,
            int freePlaces,
            Work.@Nullable ConcurrencyProfile defaults) {}

    /** A page of modules, ordered by name. */
    public record ModulePage(
            List<ModuleView> modules, @Nullable String next) {}

    /**
     * The present state of a worker.
     *
     * @param modules the modules that it polled for last, at most {@link #MODULES_NAMED_MAX}
     * @param moduleCount the number of these modules
     * @param since the time of its first request, or of its oldest claim
     * @param lastSeen the time of its last poll, claim, heartbeat or report
     * @param running the number of its live claims
     * @param polling true if it waits for work now
     * @param freePlaces the number of steps that it would take now
     */
    public record WorkerView(
            String worker,
            List<String> modules,
            int moduleCount,
            Instant since,
            Instant lastSeen,
            int running,
            boolean polling,
            int freePlaces) {}

    /** A page of the workers that were heard recently, ordered by name. */
    public record WorkerPage(
            List<WorkerView> workers, @Nullable String next) {}
}
