package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonSchemaTest {
    @Test
    @Tag("R2.11")
    void an_invalid_value_is_reported_with_its_reasons() {
        JsonSchema schema = JsonSchema.of(json("""
                {"type": "object", "required": ["parcels"], "properties": {"parcels": {"type": "array"}}}"""));

        assertThat(schema.validate(json("{\"parcels\": []}"))).isEmpty();
        assertThat(schema.validate(json("{}"))).singleElement().asString().contains("parcels");
        assertThat(schema.validate(json("{\"parcels\": 3}")))
                .singleElement()
                .asString()
                .startsWith("parcels: ");
    }

    @Test
    void a_value_that_the_checker_fails_at_does_not_fit() {
        JsonSchema schema = JsonSchema.of(json("{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 9}"));

        assertThat(schema.validate(json("1e308")))
                .singleElement()
                .asString()
                .contains("cannot check the value")
                .doesNotContainPattern("[a-z]\\.[A-Za-z]|Exception|Node"); // the name of a Java class
        assertThat(schema.validate(json("-1e308"))).isNotEmpty();
        assertThat(schema.validate(json("123456789012345678901234567890"))).isNotEmpty();
        assertThat(schema.validate(json("5.0"))).isEmpty();
    }

    @Test
    @Timeout(60)
    void a_pattern_with_catastrophic_backtracking_ends_quickly() {
        JsonSchema schema = JsonSchema.of(json("{\"pattern\": \"^(a+)+$\"}"));

        assertThat(schema.validate(json("\"" + "a".repeat(5_000) + "b\""))).hasSize(1);
    }

    @Test
    @Timeout(60)
    void a_value_whose_check_would_take_minutes_is_not_checked() {
        String choices = IntStream.range(0, 900)
                .mapToObj(i -> "{\"const\": \"" + i + "\"}")
                .collect(Collectors.joining(", "));
        JsonSchema schema = JsonSchema.of(json("{\"items\": {\"anyOf\": [" + choices + "]}}"));

        assertThat(schema.validate(json("[" + "1, ".repeat(99_999) + "1]")))
                .singleElement()
                .asString()
                .contains("too large to check");
        assertThat(schema.validate(json("[\"1\", \"899\"]"))).isEmpty();
        assertThat(schema.validate(json("[\"900\"]"))).isNotEmpty();
    }

    @Test
    @Timeout(60)
    void a_long_list_and_a_simple_schema_are_checked() {
        JsonSchema schema = JsonSchema.of(json("{\"items\": {\"type\": \"integer\"}}"));

        assertThat(schema.validate(json("[" + "1, ".repeat(999_999) + "1]"))).isEmpty();
    }

    @Test
    @Timeout(60)
    void a_long_text_is_not_searched_for_a_large_pattern() {
        JsonSchema schema = JsonSchema.of(json("{\"pattern\": \"(a?){500}b\"}"));

        assertThat(schema.validate(json("\"" + "a".repeat(200_000) + "\"")))
                .singleElement()
                .asString()
                .contains("too large to check");
        assertThat(schema.validate(json("\"aab\""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"$ref\": \"#\"}                                          | references within the schema",
                "{\"$ref\": \"https://example.com/x\"}                      | references within the schema",
                "{\"$defs\": {\"a\": {\"$ref\": \"#/$defs/a\"}}}            | does not refer to itself",
                "{\"$ref\": \"#/$defs/nothing\"}                            | an existing part of the schema",
                "{\"$dynamicRef\": \"#a\"}                                  | without $dynamicRef",
                "{\"$schema\": \"http://json-schema.org/draft-07/schema#\"} | draft 2020-12",
                "{\"type\": \"objekt\"}                                     | a JSON Schema",
                "{\"pattern\": \"(\"}                                       | a JSON Schema",
                "{\"pattern\": \"(((a{1000}){1000}){1000}){1000}\"}         | at most 5000 states",
                "{\"patternProperties\": {\"((a{99}){99}){99}\": {}}}       | at most 5000 states",
                "[]                                                         | a JSON Schema",
                "{\"maxLength\": 1e308}                                     | a JSON Schema",
            })
    void an_invalid_or_not_self_contained_schema_is_refused(String document, String message) {
        assertThatThrownBy(() -> JsonSchema.of(json(document)))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining(message);
    }

    @Test
    void references_that_double_are_refused_by_their_size() {
        var doubling = new StringBuilder("{\"$defs\": {\"d0\": {}");
        for (int i = 1; i <= 40; i++) {
            String before = "{\"$ref\": \"#/$defs/d" + (i - 1) + "\"}";
            doubling.append(", \"d")
                    .append(i)
                    .append("\": {\"allOf\": [")
                    .append(before)
                    .append(", ")
                    .append(before)
                    .append("]}");
        }
        doubling.append("}, \"$ref\": \"#/$defs/d40\"}");

        assertThatThrownBy(() -> JsonSchema.of(json(doubling.toString())))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("at most 2000 parts");
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
