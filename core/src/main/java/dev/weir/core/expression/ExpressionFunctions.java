package dev.weir.core.expression;

import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelLateFunctionBindings;
import dev.cel.runtime.CelResolvedOverload;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions of one evaluation. Each call is charged to the budget before it is made. */
final class ExpressionFunctions implements CelFunctionResolver {
    static final String RANGE_INT = "range_int";
    static final String TEXT_MATCHES = "text_matches";
    static final String MATCHES_TEXT = "matches_text";
    private static final String CONTAINS = "contains_string";

    /**
     * All functions that expressions can call. Functions whose values have no JSON form are left out, because each
     * declaration costs time at compilation.
     */
    static final List<CelFunctionDecl> DECLARATIONS = declarations();

    private static final Map<String, FunctionPrices.Price> PRICES = prices();

    private final CelFunctionResolver resolver;
    private final EvaluationBudget budget;

    private ExpressionFunctions(CelFunctionResolver resolver, EvaluationBudget budget) {
        this.resolver = resolver;
        this.budget = budget;
    }

    /** Binds the functions once, for evaluations with these options. */
    static CelFunctionResolver bind(CelOptions options) {
        List<CelFunctionBinding> bindings = new ArrayList<>();
        CelStandardFunctions.newBuilder()
                .build()
                .newFunctionBindings(RuntimeEquality.create(RuntimeHelpers.create(), options), options)
                .stream()
                .filter(binding -> !binding.getOverloadId().equals(CONTAINS))
                .forEach(bindings::add);
        bindings.add(CelFunctionBinding.from(CONTAINS, String.class, String.class, TextSearch::contains));
        bindings.add(CelFunctionBinding.from(TEXT_MATCHES, String.class, String.class, ExpressionFunctions::matches));
        bindings.add(CelFunctionBinding.from(MATCHES_TEXT, String.class, String.class, ExpressionFunctions::matches));
        return CelLateFunctionBindings.from(bindings);
    }

    /** Returns the functions for one evaluation. */
    static ExpressionFunctions chargedTo(EvaluationBudget budget) {
        return new ExpressionFunctions(ExpressionLanguage.BINDINGS, budget);
    }

    private static List<CelFunctionDecl> declarations() {
        List<CelFunctionDecl> all = new ArrayList<>();
        standardFunctions().forEach(function -> all.add(function.functionDecl()));
        all.add(CelFunctionDecl.newFunctionDeclaration(
                "range",
                CelOverloadDecl.newGlobalOverload(RANGE_INT, ListType.create(SimpleType.INT), SimpleType.INT)));
        all.add(CelFunctionDecl.newFunctionDeclaration(
                "matches",
                CelOverloadDecl.newMemberOverload(TEXT_MATCHES, SimpleType.BOOL, SimpleType.STRING, SimpleType.STRING),
                CelOverloadDecl.newGlobalOverload(
                        MATCHES_TEXT, SimpleType.BOOL, SimpleType.STRING, SimpleType.STRING)));
        return List.copyOf(all);
    }

    private static List<StandardFunction> standardFunctions() {
        return Arrays.stream(StandardFunction.values())
                .filter(function ->
                        !function.name().startsWith("GET_") && !function.name().startsWith("OLD_"))
                .filter(function -> function != StandardFunction.BYTES && function != StandardFunction.UINT)
                .filter(function -> function != StandardFunction.TYPE && function != StandardFunction.MATCHES)
                .toList();
    }

    private static Map<String, FunctionPrices.Price> prices() {
        Map<String, FunctionPrices.Price> prices = new HashMap<>();
        for (CelFunctionDecl function : DECLARATIONS) {
            for (CelOverloadDecl overload : function.overloads()) {
                FunctionPrices.Price price = FunctionPrices.find(overload);
                if (price != null) {
                    prices.put(overload.overloadId(), price);
                }
            }
        }
        return Map.copyOf(prices);
    }

    @Override
    @SuppressWarnings("Immutable") // the overload of range is for one evaluation only, and so is the budget
    public Optional<CelResolvedOverload> findOverloadMatchingArgs(
            String function, Collection<String> overloads, Object[] arguments) throws CelEvaluationException {
        if (overloads.contains(RANGE_INT)) {
            return Optional.of(CelResolvedOverload.of(
                    function, RANGE_INT, size -> LazyRange.of((long) size[0], budget), true, Long.class));
        }
        return charge(resolver.findOverloadMatchingArgs(function, overloads, arguments), arguments);
    }

    @Override
    public Optional<CelResolvedOverload> findOverloadMatchingArgs(String function, Object[] arguments)
            throws CelEvaluationException {
        return charge(resolver.findOverloadMatchingArgs(function, arguments), arguments);
    }

    private Optional<CelResolvedOverload> charge(Optional<CelResolvedOverload> found, Object[] arguments) {
        if (found.isPresent()) {
            FunctionPrices.Price price = PRICES.get(found.get().getOverloadId());
            if (price == null) {
                throw new IllegalStateException(
                        "expected a price of " + found.get().getOverloadId() + ", found none");
            }
            budget.spend(price.of(arguments, budget));
        }
        return found;
    }

    private static boolean matches(String text, String pattern) {
        return LinearPattern.of(pattern).isFoundIn(text);
    }
}
