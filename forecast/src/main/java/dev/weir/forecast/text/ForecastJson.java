package dev.weir.forecast.text;

import dev.weir.forecast.Forecast;
import dev.weir.forecast.Forecast.Phase;
import dev.weir.forecast.StepStatistics;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Formats a forecast as JSON. Times are in seconds. */
public final class ForecastJson {
    /** The number of equal parts of the makespan for which counts are given. */
    static final int BUCKETS = 60;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double MICROS_PER_SECOND = 1_000_000;

    private ForecastJson() {}

    public static ObjectNode of(Forecast forecast, List<String> notes) {
        ObjectNode json = NODES.objectNode();
        json.put("workflow", forecast.scenario().workflow().name());
        json.put("end", forecast.end().name().toLowerCase(Locale.ROOT));
        json.put("makespan_seconds", forecast.makespan() / MICROS_PER_SECOND);
        json.put("seed", forecast.scenario().seed());
        json.put("events", forecast.events());
        json.set("throughput", throughput(forecast));
        ObjectNode runs = statistics(forecast.runs());
        runs.put("unfinished", forecast.unfinished());
        json.set("runs", runs);
        ArrayNode steps = json.putArray("steps");
        forecast.steps().forEach(step -> steps.add(step(step, forecast)));
        json.set("limits", limits(forecast));
        json.put("waited_seconds", forecast.totalWaitTime() / MICROS_PER_SECOND);
        json.set("waits", waits(forecast));
        json.set("spans", spans(forecast));
        forecast.warnings().forEach(json.putArray("warnings")::add);
        notes.forEach(json.putArray("notes")::add);
        return json;
    }

    private static ObjectNode throughput(Forecast forecast) {
        double seconds = forecast.makespan() / MICROS_PER_SECOND;
        ObjectNode json = NODES.objectNode();
        if (seconds > 0) {
            json.put("runs_per_second", (forecast.scenario().runs() - forecast.unfinished()) / seconds);
            json.put("starts_per_second", forecast.starts() / seconds);
        }
        return json;
    }

    private static ObjectNode statistics(StepStatistics statistics) {
        ObjectNode json = NODES.objectNode();
        json.put("units", statistics.units());
        json.put("starts", statistics.starts());
        json.put("completed", statistics.completed());
        json.put("failed", statistics.failed());
        json.put("skipped", statistics.skipped());
        json.put("cancelled", statistics.cancelled());
        json.put("running_seconds", statistics.time(Phase.RUNNING) / MICROS_PER_SECOND);
        json.put("waiting_seconds", statistics.time(Phase.WAITING) / MICROS_PER_SECOND);
        json.put("resting_seconds", statistics.time(Phase.RESTING) / MICROS_PER_SECOND);
        json.put("longest_wait_seconds", statistics.longestWait() / MICROS_PER_SECOND);
        json.put("most_running", statistics.series(Phase.RUNNING).peak());
        json.put("most_waiting", statistics.series(Phase.WAITING).peak());
        return json;
    }

    private static ObjectNode step(StepStatistics step, Forecast forecast) {
        ObjectNode json = NODES.objectNode();
        json.put("id", step.id());
        json.setAll(statistics(step));
        json.put("retries", step.retries());
        json.put("timeouts", step.timeouts());
        step.error().ifPresent(error -> json.put("error", error));
        json.set("running", buckets(step, Phase.RUNNING, forecast.makespan()));
        json.set("waiting", buckets(step, Phase.WAITING, forecast.makespan()));
        return json;
    }

    /** Returns the mean count in each part of the makespan. */
    private static ArrayNode buckets(StepStatistics step, Phase phase, long makespan) {
        ArrayNode list = NODES.arrayNode();
        for (int i = 0; i < BUCKETS && makespan >= BUCKETS; i++) {
            long from = makespan / BUCKETS * i;
            long to = i == BUCKETS - 1 ? makespan : makespan / BUCKETS * (i + 1);
            list.add(step.series(phase).area(from, to) / (to - from));
        }
        return list;
    }

    private static ArrayNode limits(Forecast forecast) {
        ArrayNode list = NODES.arrayNode();
        for (Forecast.Limit limit : forecast.limits()) {
            ObjectNode json = list.addObject();
            json.put("limit", limit.name().toString());
            json.put("kind", limit.period() == 0 ? "capacity" : "rate");
            json.put("max", limit.max());
            if (limit.period() > 0) {
                json.put("period_seconds", limit.period() / MICROS_PER_SECOND);
            }
            json.put("peak", limit.peak());
            json.put("mean", limit.mean());
            json.put("utilisation", limit.utilisation());
        }
        return list;
    }

    private static ArrayNode waits(Forecast forecast) {
        ArrayNode list = NODES.arrayNode();
        for (Forecast.Wait wait : forecast.waits()) {
            ObjectNode json = list.addObject();
            json.put("limit", wait.name().toString());
            json.put("cause", wait.name().cause().name().toLowerCase(Locale.ROOT));
            if (!wait.step().isEmpty()) {
                json.put("step", wait.step());
            }
            json.put("seconds", wait.time() / MICROS_PER_SECOND);
            json.put("share", wait.time() / (double) forecast.totalWaitTime());
        }
        return list;
    }

    private static ArrayNode spans(Forecast forecast) {
        ArrayNode list = NODES.arrayNode();
        for (Forecast.Span span : forecast.spans()) {
            ObjectNode json = list.addObject();
            json.put("step", span.step());
            if (span.item() >= 0) {
                json.put("item", span.item());
            }
            json.put("phase", span.phase().name().toLowerCase(Locale.ROOT));
            json.put("from_seconds", span.from() / MICROS_PER_SECOND);
            json.put("to_seconds", span.to() / MICROS_PER_SECOND);
        }
        return list;
    }
}
