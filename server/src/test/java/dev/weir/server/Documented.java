package dev.weir.server;

import dev.weir.api.Json;
import dev.weir.api.OpenApi;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** What the OpenAPI document says of one path and method. */
record Documented(String method, String path, JsonNode operation) {
    private static final JsonNode DOCUMENT = Json.LENIENT.readTree(OpenApi.document());

    static List<Documented> all() {
        List<Documented> all = new ArrayList<>();
        DOCUMENT.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> all.add(new Documented(
                                operation.getKey().toUpperCase(Locale.ROOT), path.getKey(), operation.getValue()))));
        return all;
    }

    boolean open() {
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

    /** The path with these in the place of its parameters, and its required parameters filled in. */
    String with(String run, String step, String workflow) {
        String filled = path.replace("{run}", run)
                .replace("{step}", step)
                .replace("{workflow}", workflow)
                .replace("{signal}", "go");
        return path.equals("/v1/keys/waitlist") || path.equals("/v1/keys/holders") ? filled + "?key=k" : filled;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
