package dev.weir.core.explain;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.admission.ModuleDirectory;
import dev.weir.core.admission.ModuleSnapshot;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.OrganisationView;
import dev.weir.core.run.WorkerSnapshot;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about modules and workers: which work lacks only a worker, which work limits hold, and who could
 * do it. It changes nothing, and the cost of a question does not grow with the number of waiting tickets.
 */
public final class WorkQueries {
    private final OrganisationView view;
    private final long now;

    public WorkQueries(Organisation org, long now) {
        this.view = org.view();
        this.now = now;
    }

    /**
     * The present state of a module and of its workers.
     *
     * @param pollingWorkers number of workers that poll for it now
     * @param freePlaces number of claims that their polls ask for; a poll for several modules counts for each of them
     * @param defaults the demands on a run that its workers registered; absent if they registered none
     */
    public record ModuleStatus(
            ModuleSnapshot work,
            int pollingWorkers,
            int freePlaces,
            @Nullable ConcurrencyProfile defaults) {}

    /** Returns a module. A module that nobody uses has no tickets and no workers. */
    public ModuleStatus module(String name) {
        return status(name, 1);
    }

    /** Returns the modules with this prefix that are in use or have registered defaults, ordered by name. */
    public List<ModuleStatus> modules(String prefix, String after, int max) {
        List<String> registered =
                view.moduleDefaults().tailMap(prefix.compareTo(after) > 0 ? prefix : after).keySet().stream()
                        .filter(name -> name.compareTo(after) > 0)
                        .takeWhile(name -> name.startsWith(prefix))
                        .limit(max)
                        .toList();
        List<String> names = Stream.concat(view.modules().names(prefix, after, max).stream(), registered.stream())
                .distinct()
                .sorted()
                .limit(max)
                .toList();
        return names.stream().map(name -> status(name, names.size())).toList();
    }

    /** Returns the modules with the most waiting and running steps, busiest first. */
    public List<ModuleStatus> busiestModules(int max) {
        List<String> names = view.modules().busiestModules(max);
        return names.stream().map(name -> status(name, names.size())).toList();
    }

    private ModuleStatus status(String name, int snapshots) {
        ModuleDirectory modules = view.modules();
        return new ModuleStatus(
                modules.snapshot(name, snapshots, now),
                view.workers().pollingWorkers(name),
                view.workers().freePlaces(name),
                view.moduleDefaults().get(name));
    }

    /** Returns the flow-control keys that the most steps wait for, busiest first. */
    public List<LimitSnapshot> busiestKeys(int max) {
        return view.limits().keys(view.modules().busiestKeys(max), now);
    }

    /** Returns the workers with this prefix that were heard recently, ordered by name. */
    public List<WorkerSnapshot> workers(String prefix, String after, int max) {
        return view.workers().list(prefix, after, max, now);
    }
}
