package dev.weir.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JsonLengthTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "1",
                "\"a\"",
                "true",
                "[1]",
                "[1,2,3]",
                "{\"a\":1}",
                "{\"a\":[1,{\"b\":\"text\"},[]],\"c\":{\"d\":-1.5,\"e\":false}}",
                "[[[[]]]]",
                "\"\"",
                "{\"\":\"\"}"
            })
    void the_length_equals_that_of_the_json_text(String json) {
        assertThat(JsonLength.of(JsonMapper.shared().readTree(json))).isEqualTo(json.length());
    }
}
