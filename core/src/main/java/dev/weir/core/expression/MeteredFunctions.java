package dev.weir.core.expression;

import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelLateFunctionBindings;
import java.util.Set;

/** Functions that do more than can be told from what they give: they are charged while, or before, they do it. */
final class MeteredFunctions {
    static final String RANGE = "range";
    static final String RANGE_INT = "range_int";
    static final String MATCHES = "matches";
    static final String TEXT_MATCHES = "text_matches";
    static final String MATCHES_TEXT = "matches_text";

    private static final Set<String> NAMES = Set.of(RANGE, MATCHES);

    private MeteredFunctions() {}

    static boolean has(String function) {
        return NAMES.contains(function);
    }

    @SuppressWarnings("Immutable") // these are bound for one evaluation only, and so is the meter
    static CelFunctionResolver chargedTo(Meter meter) {
        return CelLateFunctionBindings.from(
                CelFunctionBinding.from(RANGE_INT, Long.class, size -> Range.of(size, meter)),
                CelFunctionBinding.from(
                        TEXT_MATCHES, String.class, String.class, (text, pattern) -> matches(text, pattern, meter)),
                CelFunctionBinding.from(
                        MATCHES_TEXT, String.class, String.class, (text, pattern) -> matches(text, pattern, meter)));
    }

    private static boolean matches(String text, String pattern, Meter meter) {
        long states = LinearPattern.statesOf(pattern);
        meter.spend(LinearPattern.compiling(states) + LinearPattern.searching(states, text.length()));
        return LinearPattern.of(pattern).isIn(text);
    }
}
