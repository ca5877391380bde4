package dev.weir.core.expression;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelKind;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.ConcatenatedListView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The price of every function that an expression can call, for the data that it reads and creates, in units of
 * evaluation. The price is charged before the call, in addition to the unit that each evaluated node costs.
 */
final class FunctionPrices {
    /** The characters that a function can copy, compare or search in the time of one unit. */
    private static final int CHARACTERS_PER_UNIT = 32;

    private static final Price FREE = (arguments, budget) -> 0;

    /** The types whose values all have the same small size. */
    private static final Set<CelKind> SMALL_KINDS =
            Set.of(CelKind.BOOL, CelKind.INT, CelKind.UINT, CelKind.DOUBLE, CelKind.TIMESTAMP, CelKind.DURATION);

    private static final Map<String, Price> BY_OVERLOAD = pricesByOverload();

    private FunctionPrices() {}

    /** Computes the cost of one call. */
    @FunctionalInterface
    interface Price {
        long of(Object[] arguments, EvaluationBudget budget);
    }

    private static Map<String, Price> pricesByOverload() {
        Map<String, Price> prices = new HashMap<>();
        put(prices, FREE, "conditional", "to_dyn", "size_list", "list_size", "size_map", "map_size", "index_list");
        put(prices, FREE, ExpressionFunctions.RANGE_INT);
        put(
                prices,
                FunctionPrices::priceByLength,
                "add_string",
                "add_bytes",
                "string_to_string",
                "bytes_to_string",
                "string_to_bool");
        put(prices, FunctionPrices::priceByLength, "size_string", "string_size", "size_bytes", "bytes_size");
        put(prices, FunctionPrices::priceByLength, "starts_with_string", "ends_with_string", "contains_string");
        put(prices, FunctionPrices::priceByLength, "less_string", "less_equals_string", "greater_string");
        put(prices, FunctionPrices::priceByLength, "greater_equals_string", "less_bytes", "less_equals_bytes");
        put(prices, FunctionPrices::priceByLength, "greater_bytes", "greater_equals_bytes", "index_map", "in_map");
        put(prices, FunctionPrices::priceMatch, ExpressionFunctions.TEXT_MATCHES, ExpressionFunctions.MATCHES_TEXT);
        put(prices, FunctionPrices::priceParse, "string_to_int64", "string_to_double");
        put(prices, FunctionPrices::priceParse, "string_to_duration", "string_to_timestamp");
        put(prices, FunctionPrices::priceEquality, "equals", "not_equals");
        put(prices, (arguments, budget) -> budget.weigh(arguments[1]), "in_list");
        put(prices, FunctionPrices::priceConcatenation, "add_list");
        return Map.copyOf(prices);
    }

    private static void put(Map<String, Price> prices, Price price, String... overloads) {
        for (String overload : overloads) {
            prices.put(overload, price);
        }
    }

    /** Returns the price of a declared overload; null if it has none. */
    static @Nullable Price find(CelOverloadDecl overload) {
        Price own = BY_OVERLOAD.get(overload.overloadId());
        boolean isSmall = overload.parameterTypes().stream().allMatch(type -> SMALL_KINDS.contains(type.kind()));
        return own == null && isSmall ? FREE : own;
    }

    private static long priceByLength(Object[] arguments, EvaluationBudget budget) {
        return countCharacters(arguments) / CHARACTERS_PER_UNIT;
    }

    private static long priceMatch(Object[] arguments, EvaluationBudget budget) {
        long states = LinearPattern.countStates((String) arguments[1]);
        return LinearPattern.compileCost(states) + LinearPattern.searchCost(states, ((String) arguments[0]).length());
    }

    /** Prices a parser, which may read the rest of a text again for each part of it. */
    private static long priceParse(Object[] arguments, EvaluationBudget budget) {
        long characters = countCharacters(arguments);
        return characters * characters / CHARACTERS_PER_UNIT;
    }

    /** Prices a comparison, which ends with the smaller value. Data is charged when it is read. */
    private static long priceEquality(Object[] arguments, EvaluationBudget budget) {
        return Math.min(budget.weigh(arguments[0]), budget.weigh(arguments[1]));
    }

    /** Prices a concatenation, which copies both lists. A loop only appends to its own list. */
    private static long priceConcatenation(Object[] arguments, EvaluationBudget budget) {
        long first = arguments[0] instanceof ConcatenatedListView<?> ? 0 : ((List<?>) arguments[0]).size();
        return first + ((List<?>) arguments[1]).size();
    }

    private static long countCharacters(Object[] arguments) {
        long characters = 0;
        for (Object argument : arguments) {
            characters += switch (argument) {
                case String text -> text.length();
                case CelByteString bytes -> bytes.size();
                default -> 0;
            };
        }
        return characters;
    }
}
