package dev.weir.server;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The parameters of a documented route that name something, wherever they are: in path, query, headers or body. */
final class RouteParameters {
    /** The place of a parameter. */
    enum Place {
        PATH,
        QUERY,
        HEADER,
        BODY
    }

    /**
     * One parameter, or all parameters of a path.
     *
     * @param path the name; in a body, the names from the outside in, with {@code []} for the entries of a list
     */
    record Parameter(Place place, List<String> path, boolean isList) {
        String name() {
            String last = path.getLast();
            return last.equals("[]") ? path.get(path.size() - 2) : last;
        }

        @Override
        public String toString() {
            return place + " " + String.join(".", path);
        }
    }

    /** Names of parameters that identify something. A new name belongs here or below, and the tests then cover it. */
    private static final Set<String> IDS = Set.of(
            "run",
            "step",
            "workflow",
            "signal",
            "operation",
            "token",
            "key",
            "label",
            "module",
            "prefix",
            "actor",
            "started_by",
            "target",
            "head",
            "cursor",
            "Idempotency-Key",
            "If-Match",
            "Last-Event-ID",
            "id",
            "ids",
            "steps",
            "module_ids",
            "letter",
            "parent",
            "organisation",
            "organization_id",
            "event",
            "correlation_id",
            "worker",
            "request_id",
            "name",
            "targets",
            "secret");

    /** Names of parameters that identify nothing: values, ranges and texts. */
    private static final Set<String> VALUES = Set.of(
            "version",
            "change",
            "details",
            "limits",
            "pause",
            "pin",
            "resume",
            "unpin",
            "values",
            "kind",
            "run_key",
            "archived",
            "max_queued_runs",
            "default_debounce",
            "notice_oldest_waiter",
            "notice_dead_letters",
            "trigger",
            "resource_type",
            "time_zone",
            "availability",
            "severity",
            "value",
            "confirm",
            "outcome",
            "type",
            "data",
            "source",
            "specversion",
            "subject",
            "time",
            "datacontenttype",
            "dataschema",
            "events",
            "limit",
            "state",
            "wait",
            "item",
            "attempt",
            "after",
            "snapshot",
            "progress",
            "sort",
            "topic",
            "since",
            "until",
            "action",
            "administrator",
            "backoff",
            "body",
            "by",
            "concurrency",
            "delay",
            "dry_run",
            "error",
            "exclusive",
            "expires_in",
            "fence",
            "filter",
            "flow_control",
            "for",
            "from",
            "headers",
            "heartbeats",
            "in",
            "input",
            "jitter",
            "labels",
            "lease",
            "link",
            "logs",
            "max_attempts",
            "max_cascade_depth",
            "max_concurrent_runs",
            "max_concurrent_runs_per_key",
            "max_concurrent_steps",
            "max_delay",
            "max_parallel",
            "method",
            "modules",
            "note",
            "output",
            "overlap",
            "parallelism",
            "payload",
            "period",
            "permanent",
            "policy",
            "priority",
            "rate",
            "reason",
            "result",
            "retry",
            "role",
            "runs",
            "runs_per_minute",
            "scopes",
            "slots",
            "text",
            "timeout",
            "updates",
            "url",
            "window");

    private RouteParameters() {}

    /** Returns the parameters that identify something; the parameters of a path are one. */
    static List<Parameter> ids(DocumentedRoute route) {
        List<Parameter> found = new ArrayList<>();
        List<String> inPath = new ArrayList<>();
        for (JsonNode each : route.operation().path("parameters")) {
            JsonNode parameter = resolve(each);
            String name = parameter.get("name").stringValue();
            switch (parameter.get("in").stringValue()) {
                case "path" -> inPath.add(name);
                case "query" -> found.add(new Parameter(Place.QUERY, List.of(name), false));
                case "header" -> found.add(new Parameter(Place.HEADER, List.of(name), false));
                default -> throw new AssertionError(route + " has a parameter in an unknown place: " + parameter);
            }
        }
        if (!inPath.isEmpty()) {
            inPath.forEach(name -> requireKnown(route, name));
            found.addFirst(new Parameter(Place.PATH, inPath, false));
        }
        addProperties(bodySchema(route), List.of(), new HashSet<>(), found);
        found.forEach(parameter -> requireKnown(route, parameter.name()));
        return found.stream()
                .filter(parameter -> IDS.contains(parameter.name()))
                .toList();
    }

    private static void requireKnown(DocumentedRoute route, String name) {
        if (!IDS.contains(name) && !VALUES.contains(name)) {
            throw new AssertionError(route + " has a parameter that the isolation tests do not know: " + name
                    + ". Add it to RouteParameters.IDS if it names something of an organisation, else to VALUES");
        }
    }

    static JsonNode bodySchema(DocumentedRoute route) {
        return resolve(route.operation()
                .path("requestBody")
                .path("content")
                .path("application/json")
                .path("schema"));
    }

    private static JsonNode resolve(JsonNode schema) {
        return schema.has("$ref")
                ? resolve(DocumentedRoute.DOCUMENT.at(
                        schema.get("$ref").stringValue().substring(1)))
                : schema;
    }

    private static void addProperties(JsonNode schema, List<String> at, Set<JsonNode> seen, List<Parameter> found) {
        if (!seen.add(schema)) {
            return;
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode value = resolve(property.getValue());
            List<String> path = append(at, property.getKey());
            JsonNode items = resolve(value.path("items"));
            found.add(new Parameter(Place.BODY, path, value.has("items") && !items.has("properties")));
            addProperties(value, path, seen, found);
            addProperties(items, append(path, "[]"), seen, found);
        }
        for (String combined : List.of("oneOf", "anyOf", "allOf")) {
            schema.path(combined).forEach(each -> addProperties(resolve(each), at, seen, found));
        }
    }

    private static List<String> append(List<String> path, String name) {
        return Stream.concat(path.stream(), Stream.of(name)).toList();
    }
}
