package dev.weir.server;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import dev.weir.api.WireJson;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares responses with the OpenAPI document. The document's schemas allow further fields. Here, an object may
 * have only documented fields, so that the server sends nothing undocumented.
 */
final class ResponseSchemas {
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .pathType(PathType.JSON_POINTER)
                            .formatAssertionsEnabled(true)
                            .build())
                    .schemaLoader(loader -> loader.fetchRemoteResources(false)));

    private static final JsonNode COMPONENTS = closed(DocumentedRoute.DOCUMENT.get("components"));
    private static final Map<JsonNode, Schema> SCHEMAS = new ConcurrentHashMap<>();

    private ResponseSchemas() {}

    /** Returns everything in a response that is not documented; empty if the response is as documented. */
    static List<String> differences(DocumentedRoute route, TestNode.TestResponse got) {
        JsonNode response = route.response(got.status());
        if (response.isMissingNode()) {
            return List.of("the document has no response with status " + got.status());
        }
        String type = got.type().split(";", 2)[0].strip();
        JsonNode content = response.path("content").path(type);
        if (content.isMissingNode()) {
            boolean none = !response.has("content") && got.body().isEmpty();
            return none ? List.of() : List.of("the document has no content of type '" + type + "'");
        }
        JsonNode schema = content.path("schema");
        return schema.isMissingNode() ? List.of() : differences(schema, got.body());
    }

    static List<String> differences(JsonNode schema, String body) {
        JsonNode value;
        try {
            value = WireJson.LENIENT.readTree(body);
        } catch (JacksonException e) {
            return List.of("expected JSON, found " + body);
        }
        return SCHEMAS.computeIfAbsent(schema, ResponseSchemas::compiled).validate(value).stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .toList();
    }

    private static Schema compiled(JsonNode schema) {
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.putArray("allOf").add(closed(schema));
        whole.set("components", COMPONENTS);
        return REGISTRY.getSchema(whole);
    }

    /** Returns the schemas with objects that allow only the fields that they name. */
    private static JsonNode closed(JsonNode open) {
        JsonNode copy = open.deepCopy();
        close(copy);
        return copy;
    }

    private static void close(JsonNode node) {
        node.values().forEach(ResponseSchemas::close);
        boolean names = node.path("properties").isObject() && node.path("type").isString();
        if (names && node instanceof ObjectNode schema && !schema.has("additionalProperties")) {
            schema.put("additionalProperties", false);
        }
    }
}
