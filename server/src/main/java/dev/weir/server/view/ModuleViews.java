package dev.weir.server.view;

import dev.weir.api.Modules;
import dev.weir.api.Work;
import dev.weir.core.admission.HoldKind;
import dev.weir.core.admission.ModuleSnapshot;
import dev.weir.core.explain.WorkQueries;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.run.WorkerSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts modules and workers to the wire format. */
public final class ModuleViews {
    private ModuleViews() {}

    public static Modules.ModuleView module(WorkQueries.ModuleStatus status) {
        ModuleSnapshot work = status.work();
        ConcurrencyProfile defaults = status.defaults();
        return new Modules.ModuleView(
                work.module(),
                BuiltInModule.isBuiltIn(work.module()),
                work.waiting(),
                work.ready(),
                work.oldestReadySince() == ModuleSnapshot.NONE_READY ? null : Moment.toInstant(work.oldestReadySince()),
                held(work.held()),
                work.running(),
                work.ready() + work.running(),
                status.pollingWorkers(),
                status.freePlaces(),
                defaults == null ? null : new Work.ConcurrencyProfile(defaults.slots(), defaults.exclusive()));
    }

    /** Returns counts by the wire names of the kinds, always in the same order. */
    public static Map<String, Long> held(Map<HoldKind, Long> held) {
        Map<String, Long> byName = new LinkedHashMap<>();
        for (HoldKind kind : HoldKind.values()) {
            Long count = held.get(kind);
            if (count != null && count != 0) {
                byName.put(WireWords.of(kind), count);
            }
        }
        return byName;
    }

    public static Modules.WorkerView worker(WorkerSnapshot worker) {
        return new Modules.WorkerView(
                worker.name(),
                worker.modules().stream().limit(Modules.MODULES_NAMED_MAX).toList(),
                worker.modules().size(),
                Moment.toInstant(worker.since()),
                Moment.toInstant(worker.lastSeenAt()),
                worker.running(),
                worker.polls() > 0,
                worker.freePlaces());
    }
}
