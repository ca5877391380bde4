package dev.weir.core.json;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The canonical form of JSON values: sorted keys, numbers in their narrowest type, no spaces. */
public final class CanonicalJson {
    private static final JsonNodeFactory NODES = CompactNodes.COMPACT;
    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private CanonicalJson() {}

    /**
     * Returns a deep copy in which equal values are equal nodes: {@code 1} read as a long equals {@code 1} read as an
     * int, and a missing node becomes null.
     */
    public static JsonNode of(JsonNode value) {
        if (value.isMissingNode()) {
            return NODES.nullNode();
        }
        if (value.isObject()) {
            return object(value);
        }
        if (value.isArray()) {
            ArrayNode copy = NODES.arrayNode(value.size());
            value.forEach(element -> copy.add(of(element)));
            return copy;
        }
        return value.isNumber() ? number(value) : value;
    }

    /** Returns the canonical text. Two values are equal exactly if their texts are. */
    public static String text(JsonNode value) {
        return of(value).toString();
    }

    /** Returns the SHA-256 of the canonical text, as 64 hexadecimal digits. */
    public static String hash(JsonNode value) {
        byte[] bytes = text(value).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static ObjectNode object(JsonNode value) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        value.properties().forEach(entry -> sorted.put(entry.getKey(), of(entry.getValue())));
        ObjectNode copy = NODES.objectNode();
        sorted.forEach(copy::set);
        return copy;
    }

    private static JsonNode number(JsonNode value) {
        if (!value.isIntegralNumber()) {
            return NODES.numberNode(value.doubleValue());
        }
        BigInteger whole = value.bigIntegerValue();
        if (whole.compareTo(LONG_MIN) < 0 || whole.compareTo(LONG_MAX) > 0) {
            return NODES.numberNode(whole);
        }
        long narrow = whole.longValue();
        return narrow == (int) narrow ? NODES.numberNode((int) narrow) : NODES.numberNode(narrow);
    }
}
