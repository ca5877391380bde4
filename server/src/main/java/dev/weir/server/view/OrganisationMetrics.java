package dev.weir.server.view;

import dev.weir.core.admission.HoldKind;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.admission.ModuleSnapshot;
import dev.weir.core.explain.WorkQueries;
import dev.weir.core.explain.WorkQueries.ModuleStatus;
import dev.weir.core.run.Organisation;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one organisation: by module, by kind of limit, and by key. The number of series is bounded by the
 * numbers of modules and keys below, whatever names a tenant uses.
 *
 * @param now the time of the query, in microseconds
 */
public record OrganisationMetrics(List<ModuleStatus> modules, List<LimitSnapshot> keys, long now) {
    /** The most modules, busiest first. */
    static final int MODULES_MAX = 200;
    /** The most keys, busiest first. */
    static final int KEYS_MAX = 50;

    private static final String MODULE = "module";
    private static final String LIMIT = "limit";
    private static final double MICROS_PER_SECOND = 1_000_000;

    /** Collects the metrics on the loop. The text is made elsewhere. */
    public static OrganisationMetrics of(Organisation organisation, long now) {
        var queries = new WorkQueries(organisation, now);
        return new OrganisationMetrics(queries.busiestModules(MODULES_MAX), queries.busiestKeys(KEYS_MAX), now);
    }

    /** Returns the metrics in the text format of Prometheus. */
    public String text() {
        var out = new PrometheusText();
        modules(
                out,
                "weir_module_ready",
                "Steps that lack only a worker.",
                status -> status.work().ready());
        modules(
                out,
                "weir_module_waiting",
                "Steps that wait, for whatever reason.",
                status -> status.work().waiting());
        modules(
                out,
                "weir_module_running",
                "Steps in flight.",
                status -> status.work().running());
        modules(
                out,
                "weir_module_demand",
                "Ready and running steps: the places that workers could use.",
                status -> status.work().ready() + status.work().running());
        modules(out, "weir_module_polling_workers", "Workers that wait for work.", ModuleStatus::pollingWorkers);
        modules(out, "weir_module_free_places", "Steps that these workers would take.", ModuleStatus::freePlaces);
        oldestReady(out);
        moduleHolds(out);
        limitHolds(out);
        keys(out, "weir_key_waiting", "Steps that the key refuses.", LimitSnapshot::waiting);
        keys(out, "weir_key_used", "Parallelism of the key in use.", LimitSnapshot::used);
        keys(out, "weir_key_max", "Parallelism of the key.", LimitSnapshot::parallelism);
        keys(out, "weir_key_rate_used", "Starts that count against the key's rate.", OrganisationMetrics::rateUsed);
        keys(out, "weir_key_rate_max", "Starts that the key's rate allows in a period.", OrganisationMetrics::rateMax);
        keys(out, "weir_key_paused", "1 if new starts under the key are stopped.", key -> key.paused() ? 1 : 0);
        return out.toString();
    }

    private void modules(PrometheusText out, String name, String help, ToLongFunction<ModuleStatus> value) {
        out.metric(name, help);
        modules.forEach(status -> out.sample(MODULE, status.work().module(), value.applyAsLong(status)));
    }

    private void oldestReady(PrometheusText out) {
        out.metric("weir_module_oldest_ready_seconds", "Time for which the oldest ready step has waited, 0 if none.");
        for (ModuleStatus status : modules) {
            long since = status.work().oldestReadySince();
            double age = since == ModuleSnapshot.NONE_READY ? 0 : Math.max(0, now - since) / MICROS_PER_SECOND;
            out.sample(MODULE, status.work().module(), age);
        }
    }

    private void moduleHolds(PrometheusText out) {
        out.metric("weir_module_held", "Steps of the module that limits hold, by kind of limit.");
        for (ModuleStatus status : modules) {
            ModuleViews.held(status.work().held())
                    .forEach((kind, count) -> out.sample(MODULE, status.work().module(), LIMIT, kind, count));
        }
    }

    private void limitHolds(PrometheusText out) {
        out.metric("weir_limit_held", "Steps and runs of these modules that limits hold, by kind of limit.");
        for (HoldKind kind : HoldKind.values()) {
            long sum = 0;
            for (ModuleStatus status : modules) {
                sum += status.work().held().getOrDefault(kind, 0L);
            }
            out.sample(LIMIT, WireWords.of(kind), sum);
        }
    }

    /** The value of a key's metric. */
    @FunctionalInterface
    private interface KeyValue {
        /** Returns the value; absent if the key has no such limit. */
        @Nullable
        Number of(LimitSnapshot key);
    }

    private void keys(PrometheusText out, String name, String help, KeyValue value) {
        out.metric(name, help);
        for (LimitSnapshot key : keys) {
            Number number = value.of(key);
            if (number != null) {
                out.sample("key", KeyViews.name(key), number);
            }
        }
    }

    private static @Nullable Number rateUsed(LimitSnapshot key) {
        return key.rate() == null ? null : (Number) key.rateUsed();
    }

    private static @Nullable Number rateMax(LimitSnapshot key) {
        return key.rate() == null ? null : (Number) key.rate().count();
    }
}
