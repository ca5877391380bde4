package dev.weir.server.routes;

import dev.weir.core.admission.HoldKind;
import dev.weir.engine.Weir;
import dev.weir.server.view.WireWords;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Gauges of the node as a whole. Anyone may read them, so they are sums over all organisations, without the names of
 * keys and modules.
 */
final class NodeGauges {
    private NodeGauges() {}

    static void register(Weir weir, MeterRegistry meters) {
        for (HoldKind kind : HoldKind.values()) {
            Gauge.builder(
                            "weir.node.held",
                            weir,
                            engine -> engine.counters().held().getOrDefault(kind, 0L))
                    .description("Steps and runs that limits hold, by kind of limit")
                    .tag("limit", WireWords.of(kind))
                    .register(meters);
        }
    }
}
