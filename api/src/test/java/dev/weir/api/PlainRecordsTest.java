package dev.weir.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tests that the readers and writers without reflection know every field of the records of frequent requests. Each
 * component of a record gets a value of its own, so a field that was added to the record alone is found.
 */
class PlainRecordsTest {
    /** Values of components that accept only certain texts. */
    private static final Map<String, String> TEXTS =
            Map.of("result", "failed", "delay", "7s", "lease", "9s", "wait", "11s", "in", "13s");

    /** The reports within a claim request. The server reads each of them on its own. */
    private static final String READ_APART = "updates";

    private static final JsonMapper GENERAL = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    /** Components that are another name of one beside them, and must not be sent together with it. */
    private static final Set<String> ALIASES = Set.of("moduleIds");

    private int last = 1;

    static Stream<Class<?>> records() {
        return Stream.of(Starts.class, Work.class)
                .flatMap(topic -> Stream.of(topic.getDeclaredClasses()))
                .filter(Class::isRecord);
    }

    @ParameterizedTest
    @MethodSource("records")
    void every_field_is_written_and_read_by_all_writers_and_readers(Class<?> type) throws Exception {
        Object sample = sample(type);
        JsonNode written = WireJson.STRICT.readTree(WireJson.STRICT.writeValueAsString(sample));
        assertThat(written).isEqualTo(WireJson.STRICT.readTree(GENERAL.writeValueAsString(sample)));
        assertThat(written.size())
                .isEqualTo(Stream.of(type.getRecordComponents())
                        .filter(component -> !ALIASES.contains(component.getName()))
                        .count());
        assertThat((Object) WireJson.STRICT.treeToValue(written, type)).isEqualTo(sample);
        if (PlainReader.reads(type)) {
            ((ObjectNode) written).remove(READ_APART);
            assertThat((Object) PlainReader.read(written, type)).isEqualTo(WireJson.STRICT.treeToValue(written, type));
        }
    }

    @SuppressWarnings("NullAway") // an alias is absent
    private Object sample(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = ALIASES.contains(components[i].getName())
                    ? null
                    : value(components[i].getName(), components[i].getGenericType());
        }
        var constructor = type.getDeclaredConstructor(types);
        return constructor.newInstance(values);
    }

    /** Returns a value that no other component has, if its type has enough of them. */
    private Object value(String name, Type type) throws ReflectiveOperationException {
        last++;
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == List.class
                    ? List.of(value(name, arguments[0]))
                    : Map.of("label-" + last, "value-" + last);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return TEXTS.getOrDefault(name, "text-" + last);
        }
        if (plain == int.class || plain == Integer.class) {
            return last;
        }
        if (plain == long.class || plain == Long.class) {
            return (1L << 33) + last;
        }
        if (plain == boolean.class || plain == Boolean.class) {
            return true;
        }
        if (plain == Instant.class) {
            return Instant.ofEpochSecond(last);
        }
        return plain == JsonNode.class ? JsonNodeFactory.instance.objectNode().put("number", last) : sample(plain);
    }
}
