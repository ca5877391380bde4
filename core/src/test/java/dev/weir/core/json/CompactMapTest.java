package dev.weir.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.IntNode;

class CompactMapTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3, CompactMap.LINEAR_SEARCH_MAX, CompactMap.LINEAR_SEARCH_MAX + 1, 40})
    void it_behaves_like_a_linked_map_under_random_operations(int names) {
        var random = new Random(names);
        Map<String, JsonNode> expected = new LinkedHashMap<>();
        var map = new CompactMap();
        for (int i = 0; i < 5_000; i++) {
            String name = "n" + random.nextInt(names);
            JsonNode value = IntNode.valueOf(random.nextInt());
            switch (random.nextInt(12)) {
                case 0, 1 -> assertThat(map.remove(name)).isEqualTo(expected.remove(name));
                case 2 -> {
                    boolean some = random.nextInt(20) == 0;
                    if (some) {
                        map.clear();
                        expected.clear();
                    }
                }
                case 3 ->
                    assertThat(map.keySet().remove(name))
                            .isEqualTo(expected.keySet().remove(name));
                case 4 ->
                    assertThat(map.values().removeIf(each -> each.intValue() % 7 == 0))
                            .isEqualTo(expected.values().removeIf(each -> each.intValue() % 7 == 0));
                case 5 -> {
                    map.entrySet()
                            .forEach(entry -> entry.setValue(
                                    IntNode.valueOf(entry.getValue().intValue() + 1)));
                    expected.replaceAll((ignored, each) -> IntNode.valueOf(each.intValue() + 1));
                }
                default -> assertThat(map.put(name, value)).isEqualTo(expected.put(name, value));
            }
            assertThat(map.containsKey(name)).isEqualTo(expected.containsKey(name));
            assertThat(map.get(name)).isEqualTo(expected.get(name));
            assertThat(map).isEqualTo(expected).hasSameHashCodeAs(expected).hasSameSizeAs(expected);
            assertThat(map.keySet()).containsExactlyElementsOf(expected.keySet());
            assertThat(map.values()).containsExactlyElementsOf(expected.values());
            assertThat(map.entrySet()).containsExactlyElementsOf(expected.entrySet());
        }
    }

    @Test
    void an_iterator_throws_beyond_the_end() {
        var fields = new CompactMap().entrySet().iterator();
        assertThatThrownBy(fields::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void json_in_compact_maps_equals_json_in_ordinary_maps() {
        String text = """
                {"b":{"z":1,"a":[{},{"x":null}]},"a":"ä","c":1.5}""";
        JsonMapper compact =
                JsonMapper.builder().nodeFactory(CompactNodes.COMPACT).build();
        JsonNode read = compact.readTree(text);

        assertThat(read).isEqualTo(JsonMapper.shared().readTree(text)).hasToString(text);
        assertThat(read).hasSameHashCodeAs(JsonMapper.shared().readTree(text));
        assertThat(read.deepCopy()).isEqualTo(read);
    }
}
