package dev.weir.core.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A hash that tells a repeated request from a different one. Unlike the sums of {@code hashCode}, it gives similar
 * bodies the same hash only by chance. A value that is written and read again keeps its hash. A fingerprint starts with
 * {@link #of}, adds one value after the other, and is folded at the end.
 *
 * <p>Fingerprints are stored, and compared with those that later versions of Weir compute. So they depend on what
 * callers have sent, never on the shape of Java classes, and {@code FingerprintFormTest} (in package {@code run}) pins
 * them. A field that is introduced later is added only if it is not the default. A change of the form must raise
 * {@code FORMAT}.
 */
public final class Fingerprint {
    // Odd multipliers with as many ones as zeros, as in murmur3 and splitmix64.
    private static final long FIRST = 0x87c37b91114253d5L;
    private static final long SECOND = 0x4cf5ad432745937fL;
    private static final long THIRD = 0xff51afd7ed558ccdL;
    private static final long FOURTH = 0xc4ceb9fe1a85ec53L;

    /** Version of the form in which values are added. It is stored in the upper bits of a folded fingerprint. */
    private static final int FORMAT = 1;

    /** Number of bits of the hash in a folded fingerprint. The version has the other four. */
    private static final int HASH_BITS = 28;

    /** Tags added before a value, so that values of two types never have the same form. */
    private static final long NULL = 1;

    private static final long FALSE = 2;
    private static final long TRUE = 3;
    private static final long WHOLE = 4;
    private static final long LARGE = 5;
    private static final long FRACTION = 6;
    private static final long TEXT = 7;
    private static final long LIST = 8;
    private static final long OBJECT = 9;

    /** Characters that are added at a time. */
    private static final int STRIDE = 4;

    private Fingerprint() {}

    /** Starts a fingerprint for things of that kind. */
    public static long of(int kind) {
        return with(FIRST, kind);
    }

    public static long with(long fingerprint, long value) {
        long spread = Long.rotateLeft(value * FIRST, 31) * SECOND;
        return Long.rotateLeft(fingerprint ^ spread, 27) * FOURTH + THIRD;
    }

    public static long with(long fingerprint, @Nullable String text) {
        if (text == null) {
            return with(fingerprint, NULL);
        }
        int length = text.length();
        long result = with(fingerprint, TEXT + ((long) length << Integer.SIZE));
        int at = 0;
        for (; at + STRIDE <= length; at += STRIDE) {
            long four = text.charAt(at)
                    | (long) text.charAt(at + 1) << 16
                    | (long) text.charAt(at + 2) << 32
                    | (long) text.charAt(at + 3) << 48;
            result = with(result, four);
        }
        for (; at < length; at++) {
            result = with(result, text.charAt(at));
        }
        return result;
    }

    /** Adds JSON. The order of fields and the Java types of numbers make no difference. */
    public static long with(long fingerprint, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> withFields(fingerprint, (ObjectNode) value);
            case ARRAY -> {
                long result = with(with(fingerprint, LIST), value.size());
                for (JsonNode element : (ArrayNode) value) {
                    result = with(result, element);
                }
                yield result;
            }
            case NUMBER -> withNumber(fingerprint, value);
            case STRING -> with(fingerprint, value.stringValue());
            case BOOLEAN -> with(fingerprint, value.booleanValue() ? TRUE : FALSE);
            case NULL, MISSING -> with(fingerprint, NULL);
            case BINARY, POJO -> with(fingerprint, value.asString());
        };
    }

    /** Adds the fields as a sum, which has no order. Each summand is fully mixed first. */
    private static long withFields(long fingerprint, ObjectNode object) {
        long sum = 0;
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            sum += mix(with(with(OBJECT, field.getKey()), field.getValue()));
        }
        return with(with(with(fingerprint, OBJECT), object.size()), sum);
    }

    private static long withNumber(long fingerprint, JsonNode number) {
        if (!number.isIntegralNumber()) {
            return with(with(fingerprint, FRACTION), Double.doubleToLongBits(number.doubleValue()));
        }
        return number.canConvertToLong()
                ? with(with(fingerprint, WHOLE), number.longValue())
                : with(with(fingerprint, LARGE), number.bigIntegerValue().toString());
    }

    /** Returns the stored form: the version of the form, and as much of the hash as fits. */
    public static int fold(long fingerprint) {
        long result = mix(fingerprint);
        return withFormat(FORMAT, (int) (result ^ result >>> Integer.SIZE));
    }

    private static int withFormat(int format, int hash) {
        return format << HASH_BITS | hashOf(hash);
    }

    private static int hashOf(int stored) {
        return stored & (1 << HASH_BITS) - 1;
    }

    /** True if two folded fingerprints belong to the same thing. */
    public static boolean isSame(int stored, int sent) {
        return hashOf(stored) == hashOf(sent);
    }

    /**
     * True if a thing may have been sent before, judged by its folded fingerprint alone. Fingerprints of different
     * forms are treated as a repeat: it would be worse to report a repeat as a conflict than a conflict as a repeat.
     */
    public static boolean mayBeRepeat(int stored, int sent) {
        return isSame(stored, sent) || stored >>> HASH_BITS != sent >>> HASH_BITS;
    }

    /** Mixes the bits, so that each depends on every other. */
    private static long mix(long fingerprint) {
        long result = (fingerprint ^ fingerprint >>> 33) * THIRD;
        result = (result ^ result >>> 33) * FOURTH;
        return result ^ result >>> 33;
    }
}
