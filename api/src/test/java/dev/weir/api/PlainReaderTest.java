package dev.weir.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.Heartbeat;
import dev.weir.api.Work.ModuleStatusUpdate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests that the readers and writers without reflection agree with the general ones. */
class PlainReaderTest {
    /** Values that may occur anywhere, most of them in the wrong place. */
    private static final List<String> VALUES = List.of(
            "null",
            "\"text\"",
            "\"\"",
            "\"" + "x".repeat(300) + "\"",
            "7",
            "-1",
            "500",
            "2147483648",
            "9223372036854775808",
            "1.0",
            "1e3",
            "true",
            "[]",
            "[\"a\",\"b\"]",
            "[\"a\",null]",
            "[7]",
            "{}",
            "{\"a\":\"b\"}",
            "{\"a\":null}",
            "[{\"id\":\"m\",\"concurrency\":{\"slots\":2,\"exclusive\":true}}]",
            "[{\"id\":\"m\",\"concurrency\":null,\"name\":\"n\",\"version\":\"1\"},\"k\"]",
            "[{\"id\":7}]",
            "[{\"name\":\"n\"}]",
            "[[]]");

    private static final Map<Class<?>, Map<String, String>> VALID = Map.of(
            StartRunRequest.class, Map.of("workflow", "\"w\""),
            ClaimRequest.class, Map.of("modules", "[\"m\"]"),
            ModuleStatusUpdate.class, Map.of("run", "\"r\"", "step", "\"a\"", "fence", "1", "result", "\"completed\""),
            Heartbeat.class, Map.of("run", "\"r\"", "step", "\"a\"", "fence", "1"));

    private static final Map<Class<?>, List<String>> FIELDS = Map.of(
            StartRunRequest.class,
                    List.of(
                            "workflow",
                            "correlation_id",
                            "id",
                            "input",
                            "priority",
                            "flow_control",
                            "flowControl",
                            "labels",
                            "delay",
                            "targets",
                            "unknown"),
            ClaimRequest.class,
                    List.of(
                            "modules",
                            "run",
                            "steps",
                            "module_ids",
                            "limit",
                            "wait",
                            "lease",
                            "request_id",
                            "worker",
                            "unknown"),
            ModuleStatusUpdate.class,
                    List.of(
                            "run",
                            "step",
                            "item",
                            "fence",
                            "result",
                            "output",
                            "error",
                            "permanent",
                            "delay",
                            "unknown"),
            Heartbeat.class, List.of("run", "step", "item", "fence", "unknown"));

    static Stream<Arguments> bodies() {
        return FIELDS.entrySet().stream()
                .flatMap(type -> type.getValue().stream().map(field -> Arguments.of(type.getKey(), field)));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void both_readers_agree_on_every_value_of_every_field(Class<?> type, String field) {
        for (String value : VALUES) {
            JsonNode sent = body(type, field, value);
            Object plain = PlainReader.read(sent, type);
            try {
                Object general = WireJson.STRICT.treeToValue(sent, type);
                assertThat(plain == null ? general : plain).as("%s", sent).isEqualTo(general);
            } catch (JacksonException e) {
                assertThat(plain).as("%s is refused: %s", sent, e.getMessage()).isNull();
            }
        }
    }

    @Test
    void usual_requests_are_read_without_reflection() {
        VALID.forEach((type, fields) -> {
            var sent = JsonNodeFactory.instance.objectNode();
            fields.forEach((name, value) -> sent.set(name, WireJson.STRICT.readTree(value)));
            assertThat(PlainReader.reads(type)).isTrue();
            assertThat(PlainReader.read(sent, type)).as("%s", type).isNotNull();
        });
        assertThat(PlainReader.reads(Health.class)).isFalse();
    }

    private static JsonNode body(Class<?> type, String field, String value) {
        var body = JsonNodeFactory.instance.objectNode();
        VALID.getOrDefault(type, Map.of()).forEach((name, valid) -> body.set(name, WireJson.STRICT.readTree(valid)));
        body.set(field, WireJson.STRICT.readTree(value));
        return body;
    }

    static List<Object> records() {
        var nodes = JsonNodeFactory.instance;
        var claim = new Work.WorkClaim("r", "a", 3, "m", 1L << 40, 2, 1, nodes.nullNode(), nodes.arrayNode(), "30s");
        var report = new ModuleStatusUpdate(
                "r", "a", 0, 7L, "failed", nodes.objectNode().put("é", 1), "no", true, "5s");
        var refused = new Work.UpdateResult(null, "a", null, 7L, "refused", "why");
        var state = new Work.EngineState("r", "running", List.of(new Work.Unit("a", null)), List.of());
        return List.of(
                new StartRunRequest(
                        "w",
                        "i",
                        nodes.stringNode("x"),
                        5,
                        nodes.objectNode(),
                        Map.of("a", "b"),
                        "1s",
                        List.of("t"),
                        "c"),
                StartRunRequest.of("w", null, null),
                new Starts.StartedRun("r", "w", "running", 3, true),
                new Starts.StartedRun("r", "w", "running", null, false),
                new Starts.StartResults(List.of(new Starts.StartResult(null, "refused", null, "why"))),
                new Work.ClaimResult(List.of(claim), state, List.of(refused)),
                new Work.ClaimResult(List.of(), null, null),
                report,
                ModuleStatusUpdate.completed(claim, null),
                new Work.UpdateResults(List.of(refused), state),
                new Work.UpdateResults(List.of(), null),
                new Work.HeartbeatResults(List.of(
                        new Work.HeartbeatResult("r", "a", 1, 7L, "extended", 30_000L, false, null),
                        new Work.HeartbeatResult(null, null, null, null, "refused", null, null, "why"))));
    }

    @ParameterizedTest
    @MethodSource("records")
    void both_writers_write_the_same_text(Object written) {
        var general = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();
        assertThat(WireJson.STRICT.readTree(WireJson.STRICT.writeValueAsString(written)))
                .isEqualTo(WireJson.STRICT.readTree(general.writeValueAsString(written)));
    }
}
