package dev.weir.server.routes;

import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.definition.DurationText;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Window;
import dev.weir.server.http.RefusedRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the fields of a request that merges: an absent field keeps its value, null clears it. */
final class MergeFields {
    private static final int SHOWN_CHARS_MAX = 80;

    private MergeFields() {}

    static FieldChange<Integer> count(@Nullable JsonNode value) {
        return of(value, JsonNode::intValue);
    }

    /** Reads a period in microseconds from a duration or a number of milliseconds. */
    static FieldChange<Long> period(@Nullable JsonNode value) {
        return of(value, MergeFields::micros);
    }

    /** Reads a duration in microseconds. */
    static FieldChange<Long> duration(String pointer, @Nullable JsonNode value) {
        return of(
                value,
                text -> DurationText.parse(text.asString(""))
                        .filter(length -> length.compareTo(DefinitionBounds.PERIOD_MIN) >= 0)
                        .filter(length -> length.compareTo(DefinitionBounds.PERIOD_MAX) <= 0)
                        .map(Moment::micros)
                        .orElseThrow(() -> RefusedRequest.invalid(
                                pointer, DurationText.EXPECTED + ", from 1ms to 7d", excerpt(text))));
    }

    static FieldChange<Window> window(@Nullable JsonNode value) {
        return of(value, text -> switch (text.asString("")) {
            case "sliding" -> Window.SLIDING;
            case "fixed" -> Window.FIXED;
            default -> throw RefusedRequest.invalid("/window", "sliding or fixed", excerpt(text));
        });
    }

    private static <T> FieldChange<T> of(@Nullable JsonNode value, Function<JsonNode, T> read) {
        if (value == null) {
            return new FieldChange.Keep<>();
        }
        return value.isNull() ? new FieldChange.Clear<>() : new FieldChange.Replace<>(read.apply(value));
    }

    private static long micros(JsonNode value) {
        Optional<Duration> period = value.isIntegralNumber() && value.canConvertToLong()
                ? Optional.of(Duration.ofMillis(value.longValue()))
                : value.isString() ? DurationText.parsePeriod(value.stringValue()) : Optional.empty();
        return period.filter(length -> length.compareTo(DefinitionBounds.PERIOD_MIN) >= 0)
                .filter(length -> length.compareTo(DefinitionBounds.PERIOD_MAX) <= 0)
                .map(Moment::micros)
                .orElseThrow(() -> RefusedRequest.invalid(
                        "/period", DurationText.PERIOD_EXPECTED + ", from 1ms to 7d", excerpt(value)));
    }

    private static String excerpt(JsonNode value) {
        String text = value.toString();
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
    }
}
