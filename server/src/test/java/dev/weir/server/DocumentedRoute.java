package dev.weir.server;

import dev.weir.api.OpenApi;
import dev.weir.api.WireJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The description of one path and method in the OpenAPI document. */
record DocumentedRoute(String method, String path, JsonNode operation) {
    static final JsonNode DOCUMENT = WireJson.LENIENT.readTree(OpenApi.document());

    private static final List<DocumentedRoute> ALL = read();

    /** The pattern of each path; paths with few parameters come first. */
    private static final Map<DocumentedRoute, Pattern> PATTERNS = patterns();

    static List<DocumentedRoute> all() {
        return ALL;
    }

    private static List<DocumentedRoute> read() {
        List<DocumentedRoute> all = new ArrayList<>();
        DOCUMENT.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> all.add(new DocumentedRoute(
                                operation.getKey().toUpperCase(Locale.ROOT), path.getKey(), operation.getValue()))));
        return all;
    }

    private static Map<DocumentedRoute, Pattern> patterns() {
        Map<DocumentedRoute, Pattern> patterns = new LinkedHashMap<>();
        ALL.stream()
                .sorted(Comparator.comparingInt(route -> route.path.split("\\{", -1).length))
                .forEach(route -> patterns.put(
                        route,
                        Pattern.compile(Stream.of(route.path.split("\\{[^}]*}", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining("[^/]+")))));
        return patterns;
    }

    /** Finds the route of a request. If several match, it returns the one with the fewest parameters. */
    static Optional<DocumentedRoute> find(String method, String requested) {
        return PATTERNS.entrySet().stream()
                .filter(route -> route.getKey().method.equals(method)
                        && route.getValue().matcher(requested).matches())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    boolean isPublic() {
        return operation.has("security");
    }

    boolean takesBody() {
        return operation.has("requestBody");
    }

    boolean requiresBody() {
        return takesBody() && operation.get("requestBody").get("required").booleanValue();
    }

    boolean takesDefinition() {
        return takesBody() && operation.at("/requestBody/content").has("application/yaml");
    }

    Collection<String> statuses() {
        return operation.get("responses").propertyNames();
    }

    /** Returns a response of the route with its references resolved; missing if there is none. */
    JsonNode response(int status) {
        JsonNode response = operation.path("responses").path(String.valueOf(status));
        return response.has("$ref")
                ? DOCUMENT.at(response.get("$ref").stringValue().substring(1))
                : response;
    }

    /** Returns the path with these values as its parameters, and with its required query parameters. */
    String pathWith(String run, String step, String workflow) {
        String filled = path.replace("{run}", run)
                .replace("{step}", step)
                .replace("{workflow}", workflow)
                .replace("{signal}", "go")
                .replace("{operation}", "nothing")
                .replace("{event}", "nothing")
                .replace("{letter}", "0")
                .replace("{token}", "nobody")
                .replace("{secret}", "NONE")
                .replace("{organisation}", "nobody");
        return List.of("/v1/keys/waitlist", "/v1/keys/holders", "/v1/keys/history")
                                .contains(path)
                        || (method.equals("GET") && path.equals("/v1/logs"))
                ? filled + "?key=k"
                : filled;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
