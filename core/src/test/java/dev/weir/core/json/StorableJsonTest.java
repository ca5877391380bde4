package dev.weir.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

class StorableJsonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\\u0000\" | the character U+0000",
                "{\"a\": [1, {\"b\\u0000\": 2}]} | the character U+0000",
                "[[\"\\ud83d\"]] | half a surrogate pair",
                "\"\\ude00\\ud83d\" | half a surrogate pair",
                "{\"a\": 1e400} | a number that is too large",
                "-1e400 | a number that is too large",
            })
    void a_value_that_cannot_be_stored_is_named(String json, String misfit) {
        assertThat(StorableJson.findProblem(JsonMapper.shared().readTree(json))).isEqualTo(misfit);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"\\ud83d\\ude00\" | x", "{\"a\": [1, 2.5e300, null, true, \"\\u0001\\uffff\"]} | x", "\"\" | x"})
    void all_other_values_can_be_stored(String json, String ignored) {
        assertThat(StorableJson.findProblem(JsonMapper.shared().readTree(json))).isNull();
    }

    @Test
    void a_problem_is_found_at_any_depth() {
        var deep = JsonNodeFactory.instance.arrayNode();
        var inner = deep;
        for (int i = 0; i < 100_000; i++) {
            inner = inner.addArray();
        }
        inner.add("\0");
        assertThat(StorableJson.findProblem(deep)).isEqualTo("the character U+0000");
    }

    @Test
    void a_text_is_sanitized_and_truncated() {
        assertThat(StorableJson.sanitize("a\0b\ud83dc\ud83d\ude00", 99)).isEqualTo("a\uFFFDb\uFFFDc\ud83d\ude00");
        assertThat(StorableJson.sanitize("abcdef", 6)).isEqualTo("abcdef");
        assertThat(StorableJson.sanitize("abcdefg", 6)).isEqualTo("abcd..");
        assertThat(StorableJson.sanitize("abc\ud83d\ude00def", 6)).isEqualTo("abc\uFFFD..");
    }
}
