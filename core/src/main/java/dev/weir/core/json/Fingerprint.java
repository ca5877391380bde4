package dev.weir.core.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A hash by which a repeat is told from something else: bodies that differ a little differ in it by chance only, which the
 * sums of {@code hashCode} do not give. What is written and read again has the same one. It is begun with {@link #of}, takes
 * in one thing after the other, and is folded at the end.
 */
public final class Fingerprint {
    // Odd multipliers with as many ones as zeros, as murmur3 and splitmix64 have them.
    private static final long FIRST = 0x87c37b91114253d5L;
    private static final long SECOND = 0x4cf5ad432745937fL;
    private static final long THIRD = 0xff51afd7ed558ccdL;
    private static final long FOURTH = 0xc4ceb9fe1a85ec53L;

    /** What is taken in before a value, so that no two kinds are alike. */
    private static final long NULL = 1;

    private static final long FALSE = 2;
    private static final long TRUE = 3;
    private static final long WHOLE = 4;
    private static final long LARGE = 5;
    private static final long FRACTION = 6;
    private static final long TEXT = 7;
    private static final long LIST = 8;
    private static final long OBJECT = 9;

    /** Characters that are taken in at a time. */
    private static final int STRIDE = 4;

    private Fingerprint() {}

    /** The beginning of one, for things of that kind. */
    public static long of(int kind) {
        return with(FIRST, kind);
    }

    public static long with(long print, long value) {
        long spread = Long.rotateLeft(value * FIRST, 31) * SECOND;
        return Long.rotateLeft(print ^ spread, 27) * FOURTH + THIRD;
    }

    public static long with(long print, @Nullable String text) {
        if (text == null) {
            return with(print, NULL);
        }
        int length = text.length();
        long all = with(print, TEXT + ((long) length << Integer.SIZE));
        int at = 0;
        for (; at + STRIDE <= length; at += STRIDE) {
            long four = text.charAt(at)
                    | (long) text.charAt(at + 1) << 16
                    | (long) text.charAt(at + 2) << 32
                    | (long) text.charAt(at + 3) << 48;
            all = with(all, four);
        }
        for (; at < length; at++) {
            all = with(all, text.charAt(at));
        }
        return all;
    }

    /** Takes in JSON: fields in any order, numbers by their value, whatever their type in Java. */
    public static long with(long print, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> withFields(print, (ObjectNode) value);
            case ARRAY -> {
                long all = with(with(print, LIST), value.size());
                for (JsonNode element : (ArrayNode) value) {
                    all = with(all, element);
                }
                yield all;
            }
            case NUMBER -> withNumber(print, value);
            case STRING -> with(print, value.stringValue());
            case BOOLEAN -> with(print, value.booleanValue() ? TRUE : FALSE);
            case NULL, MISSING -> with(print, NULL);
            case BINARY, POJO -> with(print, value.asString());
        };
    }

    /** A sum has no order, and each part of it is mixed to the end before. */
    private static long withFields(long print, ObjectNode object) {
        long sum = 0;
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            sum += mixed(with(with(OBJECT, field.getKey()), field.getValue()));
        }
        return with(with(with(print, OBJECT), object.size()), sum);
    }

    private static long withNumber(long print, JsonNode number) {
        if (!number.isIntegralNumber()) {
            return with(with(print, FRACTION), Double.doubleToLongBits(number.doubleValue()));
        }
        return number.canConvertToLong()
                ? with(with(print, WHOLE), number.longValue())
                : with(with(print, LARGE), number.bigIntegerValue().toString());
    }

    /** What is kept of it. */
    public static int folded(long print) {
        long all = mixed(print);
        return (int) (all ^ all >>> Integer.SIZE);
    }

    /** Lets every bit depend on every other. */
    private static long mixed(long print) {
        long all = (print ^ print >>> 33) * THIRD;
        all = (all ^ all >>> 33) * FOURTH;
        return all ^ all >>> 33;
    }
}
