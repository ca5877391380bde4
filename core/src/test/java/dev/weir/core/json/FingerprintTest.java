package dev.weir.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Tag("R0.14")
class FingerprintTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /**
     * Maximum pairs of equal hashes: 90,000 values in 28 bits have 15 such pairs on average, and hardly ever more than
     * this.
     */
    private static final int PAIRS_MAX = 40;

    private final Set<Long> hashes = new HashSet<>();
    private final Set<Integer> folded = new HashSet<>();
    private int added;

    private static long fingerprint(JsonNode value) {
        return Fingerprint.with(Fingerprint.of(0), value);
    }

    private static long fingerprint(String json) {
        return fingerprint(JsonMapper.shared().readTree(json.replace('\'', '"')));
    }

    private void add(JsonNode value) {
        long fingerprint = fingerprint(value);
        hashes.add(fingerprint);
        folded.add(Fingerprint.fold(fingerprint));
        added++;
    }

    private void assertDistinct() {
        assertThat(hashes).hasSize(added);
        assertThat(folded).hasSizeGreaterThanOrEqualTo(added - PAIRS_MAX);
    }

    @Test
    void numbers_that_differ_a_little_in_two_fields_are_not_alike() {
        for (int a = 0; a < 300; a++) {
            for (int b = 0; b < 300; b++) {
                add(NODES.objectNode().put("a", a).put("b", b));
            }
        }
        assertDistinct();
    }

    @Test
    void lists_of_small_numbers_are_not_alike() {
        for (int a = -45; a < 45; a++) {
            for (int b = 0; b < 40; b++) {
                for (int c = 0; c < 25; c++) {
                    add(NODES.arrayNode().add(a).add(b).add(c));
                }
            }
        }
        assertDistinct();
    }

    @Test
    void texts_that_differ_in_some_characters_are_not_alike() {
        for (int length = 1; length <= 9; length++) {
            for (int each = 0; each < 10_000; each++) {
                var text = new StringBuilder("-".repeat(length)).append(each);
                add(NODES.objectNode().put("text", text.reverse().toString()));
            }
        }
        assertDistinct();
    }

    @Test
    void fields_that_have_each_others_values_are_not_alike() {
        List<String> names = List.of("debit", "credit", "Aa", "BB", "a", "b", "", "ab", "ba", "AaBB", "BBAa", "c", "d");
        for (int set = 0; set < 1 << names.size(); set++) {
            ObjectNode object = NODES.objectNode();
            for (int i = 0; i < names.size(); i++) {
                object.put(names.get(i), (set >> i & 1) == 1);
            }
            add(object);
        }
        assertDistinct();
    }

    @Test
    void the_type_and_position_of_values_change_the_fingerprint() {
        List<String> all = List.of(
                "null",
                "true",
                "false",
                "0",
                "1",
                "0.0",
                "1.0",
                "-0.0",
                "''",
                "'0'",
                "'1'",
                "'null'",
                "[]",
                "[[]]",
                "[[],[]]",
                "{}",
                "[{}]",
                "{'a':{}}",
                "{'a':[]}",
                "{'a':null}",
                "{'':'a'}",
                "{'a':''}",
                "['a','']",
                "['','a']",
                "['a']",
                "[null]",
                "[null,null]",
                "{'a':{'b':1}}",
                "{'b':{'a':1}}",
                "{'a':1,'b':{}}",
                "{'a':'b','c':'d'}",
                "{'a':'d','c':'b'}",
                "[1,[2,3]]",
                "[[1,2],3]",
                "[1,2,3]",
                "'abcd'",
                "'abcde'",
                "18446744073709551616",
                "'18446744073709551616'",
                "'\\u0000'",
                "'\\u0000\\u0000'");
        all.forEach(json -> add(JsonMapper.shared().readTree(json.replace('\'', '"'))));
        assertDistinct();
    }

    @Test
    void the_field_order_and_the_java_type_of_a_number_do_not_change_the_fingerprint() {
        assertThat(fingerprint("{'a':1,'b':[true,{'c':'d','e':2.5}]}"))
                .isEqualTo(fingerprint("{'b':[true,{'e':2.5,'c':'d'}],'a':1}"));
        assertThat(fingerprint(NODES.numberNode((short) 7)))
                .isEqualTo(fingerprint(NODES.numberNode(7L)))
                .isEqualTo(fingerprint(NODES.numberNode(BigInteger.valueOf(7))))
                .isEqualTo(fingerprint("7"));
    }

    @Test
    void json_that_is_written_and_read_back_has_the_same_fingerprint() {
        ObjectNode written = NODES.objectNode()
                .put("int", 7)
                .put("long", 1L << 40)
                .put("large", BigInteger.ONE.shiftLeft(70))
                .put("fraction", 0.1)
                .put("text", "grüße\n\"quoted\" \uD83D\uDE00");
        written.putArray("list").addNull().add(true).addObject().put("deep", -1.5e300);
        written.set("missing", NODES.missingNode());
        assertThat(fingerprint(JsonMapper.shared().readTree(written.toString())))
                .isEqualTo(fingerprint(written));
        assertThat(fingerprint(CanonicalJson.of(written))).isEqualTo(fingerprint(written));
    }
}
