package dev.weir.forecast.text;

import dev.weir.forecast.Forecast;
import dev.weir.forecast.Forecast.Wait;
import dev.weir.forecast.text.Canvas.Style;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the forecast of a definition with forecasts of the same runs under changed limits.
 *
 * @param base the forecast of the unchanged definition
 * @param others the other forecasts, by their changes
 */
public record ForecastComparison(Forecast base, Map<String, Forecast> others) {
    /** The most causes of waiting that have a row of their own. */
    private static final int ROWS_MAX = 6;

    private static final int GAP = 3;
    private static final int PATH_NAMES_MAX = 8;

    /** Returns tables with a column for each variant, as many tables as the width requires. */
    public List<String> tables(Canvas canvas) {
        List<List<String>> columns = new ArrayList<>();
        int names = distinguishingNameCount();
        others.forEach((name, forecast) -> columns.add(column(shortened(name, names), forecast)));
        String throughput = hasSeveralRuns() ? "throughput, runs" : "throughput, steps";
        List<String> labels = new ArrayList<>(List.of("", "makespan", "", throughput, "waiting"));
        causes().forEach(cause -> labels.add("  for " + cause));
        List<String> baseColumn = column("as defined", base);
        baseColumn.set(2, "");
        List<String> lines = new ArrayList<>();
        int left = width(labels) + GAP + width(baseColumn);
        int at = 0;
        while (at < columns.size()) {
            List<List<String>> shown = new ArrayList<>(List.of(labels, baseColumn));
            int used = left;
            do {
                used += GAP + width(columns.get(at));
                shown.add(columns.get(at));
                at++;
            } while (at < columns.size() && used + GAP + width(columns.get(at)) <= canvas.width());
            lines.add("");
            lines.addAll(table(shown, canvas));
        }
        return lines;
    }

    private static List<String> table(List<List<String>> columns, Canvas canvas) {
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < columns.getFirst().size(); row++) {
            var line = new StringBuilder(HumanText.pad(columns.getFirst().get(row), width(columns.getFirst())));
            for (List<String> column : columns.subList(1, columns.size())) {
                line.append(" ".repeat(GAP)).append(HumanText.padLeft(column.get(row), width(column)));
            }
            String text = line.toString().stripTrailing();
            lines.add(row == 0 ? canvas.paint(Style.BOLD, text) : text);
        }
        return lines;
    }

    private static int width(List<String> column) {
        return column.stream().mapToInt(String::length).max().orElse(0);
    }

    /** Returns only the last names of each path, as many as distinguish the paths. The user has just typed the rest. */
    private static String shortened(String name, int names) {
        return Arrays.stream(name.split(" ", -1))
                .map(assignment -> lastNames(assignment, names))
                .collect(Collectors.joining(" "));
    }

    private static String lastNames(String assignment, int names) {
        int equals = assignment.indexOf('=');
        int from = equals;
        for (int i = 0; i < names && from >= 0; i++) {
            from = assignment.lastIndexOf('.', from - 1);
        }
        return assignment.substring(from + 1);
    }

    private int distinguishingNameCount() {
        List<String> paths = others.keySet().stream()
                .flatMap(name -> Arrays.stream(name.split(" ", -1)))
                .map(assignment -> assignment.substring(0, assignment.indexOf('=') + 1))
                .distinct()
                .toList();
        int names = 1;
        while (names < PATH_NAMES_MAX && countDistinct(paths, names) < paths.size()) {
            names++;
        }
        return names;
    }

    private static long countDistinct(List<String> paths, int names) {
        return paths.stream().map(path -> lastNames(path, names)).distinct().count();
    }

    private List<String> column(String name, Forecast forecast) {
        Map<String, Long> waits = waitsByCause(forecast);
        List<String> column = new ArrayList<>();
        column.add(name);
        column.add(HumanText.time(forecast.makespan()) + (forecast.unfinished() > 0 ? " (cut)" : ""));
        column.add(makespanChange(forecast));
        column.add(throughput(forecast));
        column.add(HumanText.time(forecast.totalWaitTime()));
        causes().forEach(cause -> column.add(HumanText.time(waits.getOrDefault(cause, 0L))));
        return column;
    }

    private boolean hasSeveralRuns() {
        return base.scenario().runs() > 1;
    }

    private String throughput(Forecast forecast) {
        long ended = forecast.scenario().runs() - forecast.unfinished();
        return HumanText.rate(hasSeveralRuns() ? ended : forecast.starts(), forecast.makespan());
    }

    /** Returns the difference of the makespan to that of the base, in percent. */
    private String makespanChange(Forecast forecast) {
        if (base.makespan() == 0) {
            return "";
        }
        double fraction = (forecast.makespan() - base.makespan()) / (double) base.makespan();
        return fraction == 0 ? "same" : String.format(Locale.ROOT, "%+.0f %%", fraction * 100);
    }

    private static Map<String, Long> waitsByCause(Forecast forecast) {
        var families = LimitFamilies.of(forecast.scenario().workflow());
        Map<String, Long> times = new LinkedHashMap<>();
        for (Wait wait : forecast.waits()) {
            times.merge(families.familyName(wait.name()), wait.time(), Long::sum);
        }
        return times;
    }

    /** Returns the causes of the longest waiting in all forecasts together. */
    private List<String> causes() {
        Map<String, Long> all = new LinkedHashMap<>(waitsByCause(base));
        others.values()
                .forEach(
                        forecast -> waitsByCause(forecast).forEach((cause, time) -> all.merge(cause, time, Long::sum)));
        return all.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(ROWS_MAX)
                .map(Map.Entry::getKey)
                .toList();
    }

    public ObjectNode toJson(List<String> notes) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("base", ForecastJson.of(base, notes));
        ArrayNode variants = json.putArray("variants");
        others.forEach((name, forecast) -> {
            ObjectNode variant = variants.addObject();
            variant.put("set", name);
            variant.put("makespan_difference_seconds", (forecast.makespan() - base.makespan()) / 1_000_000.0);
            variant.put("waited_difference_seconds", (forecast.totalWaitTime() - base.totalWaitTime()) / 1_000_000.0);
            variant.set("forecast", ForecastJson.of(forecast, List.of()));
        });
        return json;
    }
}
