package dev.weir.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.Starts.StartResult;
import dev.weir.api.Starts.StartResults;
import dev.weir.api.Starts.StartedRun;
import dev.weir.api.Work.ClaimResult;
import dev.weir.api.Work.HeartbeatResult;
import dev.weir.api.Work.HeartbeatResults;
import dev.weir.api.Work.UpdateResult;
import dev.weir.api.Work.UpdateResults;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tests that the readers of responses without reflection agree with the general one. */
class PlainResponsesTest {
    private static final JsonMapper GENERAL = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private static final List<String> VALUES = List.of(
            "null",
            "\"text\"",
            "7",
            "-1",
            "9223372036854775808",
            "1.5",
            "true",
            "[]",
            "[7]",
            "[null]",
            "{}",
            "{\"a\":[{}]}");

    static List<Object> responses() {
        var nodes = JsonNodeFactory.instance;
        var claim = new Work.WorkClaim(
                "r", "a", 3, "m", 1L << 40, 2, 1, nodes.objectNode().put("é", 1), nodes.arrayNode(), "30s");
        var plain = new Work.WorkClaim("r", "a", null, "m", 1, 1, 0, nodes.nullNode(), null, "30s");
        var result = new UpdateResult("r", "a", 3, 7L, "applied", "why");
        var state = new Work.EngineState("r", "running", List.of(new Work.Unit("a", null)), List.of());
        return List.of(
                new StartedRun("r", "w", "running", 3, true),
                new StartedRun("r", "w", "running", null, false),
                new StartResults(List.of(
                        new StartResult("r", "created", "running", null),
                        new StartResult(null, "refused", null, "why"))),
                new StartResults(List.of()),
                new ClaimResult(List.of(claim, plain), state, List.of(result)),
                new ClaimResult(List.of(), null, null),
                new UpdateResults(List.of(result, new UpdateResult(null, null, null, null, "refused", null)), state),
                new HeartbeatResults(List.of(
                        new HeartbeatResult("r", "a", 1, 7L, "extended", 30_000L, false, null),
                        new HeartbeatResult(null, null, null, null, "refused", null, null, "why"))));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void what_a_server_writes_is_read_as_it_was(Object response) {
        byte[] sent = WireJson.STRICT.writeValueAsBytes(response);
        Object read = WireJson.LENIENT.readValue(sent, response.getClass());
        assertThat(read).isEqualTo(response);
        assertThat(read).isEqualTo(GENERAL.readValue(sent, response.getClass()));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void a_response_that_is_read_is_read_as_by_the_general_reader(Object response) {
        for (JsonNode changed : changed(WireJson.STRICT.valueToTree(response))) {
            String text = changed.toString();
            Object plain;
            try {
                plain = WireJson.LENIENT.readValue(text, response.getClass());
            } catch (JacksonException e) {
                continue; // it says that this is no response of Weir
            }
            assertThat(plain).as(text).isEqualTo(GENERAL.readValue(text, response.getClass()));
        }
    }

    @ParameterizedTest
    @MethodSource("responses")
    void unknown_fields_of_a_newer_server_are_ignored(Object response) {
        JsonNode sent = WireJson.STRICT.valueToTree(response);
        for (ObjectNode object : objects(sent)) {
            object.set("new_field", WireJson.STRICT.readTree("{\"a\":[{\"run\":{}},\"x\"]}"));
        }
        if (!(response instanceof ClaimResult)) {
            assertThat((Object) WireJson.LENIENT.readValue(sent.toString(), response.getClass()))
                    .isEqualTo(response);
        }
        assertThat((Object) WireJson.LENIENT.readValue(sent.toString(), response.getClass()))
                .isEqualTo(GENERAL.readValue(sent.toString(), response.getClass()));
    }

    @Test
    void a_response_without_a_field_that_every_server_sends_is_refused() {
        assertThatThrownBy(() -> WireJson.LENIENT.readValue("{\"id\":\"r\"}", StartedRun.class))
                .isInstanceOf(JacksonException.class)
                .hasMessageContaining("expected the field workflow, found none");
        assertThatThrownBy(() -> WireJson.LENIENT.readValue("\"text\"", ClaimResult.class))
                .isInstanceOf(JacksonException.class)
                .hasMessageContaining("expected an object");
    }

    /** Returns copies of a response in which one field was replaced or removed. */
    private static List<JsonNode> changed(JsonNode response) {
        List<JsonNode> changed = new ArrayList<>();
        int objects = objects(response).size();
        for (int i = 0; i < objects; i++) {
            for (String field : List.copyOf(objects(response).get(i).propertyNames())) {
                for (String value : VALUES) {
                    JsonNode copy = response.deepCopy();
                    objects(copy).get(i).set(field, WireJson.STRICT.readTree(value));
                    changed.add(copy);
                }
                JsonNode without = response.deepCopy();
                objects(without).get(i).remove(field);
                changed.add(without);
            }
        }
        return changed;
    }

    /** Returns every object in a tree, the tree itself first. */
    private static List<ObjectNode> objects(JsonNode tree) {
        List<ObjectNode> found = new ArrayList<>();
        if (tree instanceof ObjectNode object) {
            found.add(object);
        }
        if (tree instanceof ObjectNode || tree instanceof ArrayNode) {
            for (JsonNode child : tree) {
                found.addAll(objects(child));
            }
        }
        return found;
    }
}
