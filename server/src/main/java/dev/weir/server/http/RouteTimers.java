package dev.weir.server.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The timers of one route, one for each status. They are kept here because the registry is slow to find them. */
final class RouteTimers {
    private final MeterRegistry meters;
    private final Routing.Method method;
    private final String path;
    private final Map<Integer, Timer> byStatus = new ConcurrentHashMap<>();

    RouteTimers(MeterRegistry meters, Routing.Method method, String path) {
        this.meters = meters;
        this.method = method;
        this.path = path;
    }

    void record(int status, long nanos) {
        byStatus.computeIfAbsent(status, this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(int status) {
        return Timer.builder("weir.http.requests")
                .description("Requests by path and status")
                .tag("method", method.name())
                .tag("path", path)
                .tag("status", String.valueOf(status))
                .register(meters);
    }
}
