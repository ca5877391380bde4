package dev.weir.postgres.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.Update;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class StoredJsonTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @RepeatedTest(300)
    void stored_json_equals_the_text_that_jackson_writes(RepetitionInfo seed) {
        JsonNode value = any(new Random(seed.getCurrentRepetition()), 5);

        assertThat(StoredJson.text(value)).isEqualTo(value.toString());
    }

    @Test
    void deeply_nested_json_is_written() {
        ArrayNode outer = NODES.arrayNode();
        ArrayNode inner = outer;
        for (int i = 0; i < 400; i++) {
            inner = inner.addArray();
        }
        assertThat(StoredJson.text(outer)).isEqualTo(outer.toString());
    }

    @Test
    void a_missing_node_is_written_as_null() {
        ObjectNode object = NODES.objectNode();
        object.set("nothing", NODES.missingNode());

        assertThat(StoredJson.text(object)).isEqualTo("{\"nothing\":null}").isEqualTo(object.toString());
        assertThat(StoredJson.text(NODES.missingNode())).isEqualTo("null");
        assertThat(UpdateJson.read(UpdateJson.text(new Update.Completed(NODES.missingNode()))))
                .isEqualTo(new Update.Completed(NODES.nullNode()));
    }

    private static JsonNode any(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 10 : 14)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt());
            case 3 -> NODES.numberNode(random.nextLong());
            case 4 -> NODES.numberNode(random.nextGaussian());
            case 5 -> NODES.numberNode(new BigDecimal(random.nextGaussian()));
            case 6 -> NODES.numberNode(new BigInteger(100, random));
            case 7 -> NODES.numberNode((short) random.nextInt());
            case 8, 9 -> NODES.stringNode(text(random));
            case 10, 11 -> array(random, depth);
            default -> object(random, depth);
        };
    }

    private static ArrayNode array(Random random, int depth) {
        ArrayNode array = NODES.arrayNode();
        random.ints(random.nextInt(4)).forEach(ignored -> array.add(any(random, depth - 1)));
        return array;
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = NODES.objectNode();
        random.ints(random.nextInt(4)).forEach(ignored -> object.set(text(random), any(random, depth - 1)));
        return object;
    }

    /** Returns a text of control characters, quotes, backslashes, letters of other alphabets, and surrogate pairs. */
    private static String text(Random random) {
        var text = new StringBuilder();
        random.ints(random.nextInt(12), 0, 6).forEach(kind -> {
            switch (kind) {
                case 0 -> text.append((char) random.nextInt(0x20));
                case 1 -> text.append("\"\\/\u007f\u2028".charAt(random.nextInt(5)));
                case 2 -> text.append((char) (0x80 + random.nextInt(0x1000)));
                case 3 -> text.appendCodePoint(0x1F600 + random.nextInt(40));
                default -> text.append((char) ('a' + random.nextInt(26)));
            }
        });
        return text.toString();
    }
}
