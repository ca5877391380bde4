package dev.weir.core.expression;

import dev.cel.common.ast.CelExpr;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The budget of all evaluations of one scope, in units. CEL bounds only the number of iterations. The budget charges
 * one unit for each evaluated node, and more for the node's result, for data that is read, for the work of a function
 * (see {@link FunctionPrices}) and for the conversion of the result.
 *
 * <p>A unit is about 0.15 microseconds of CPU. That is the time of a node of a loop, measured by hand with some fifty
 * expensive expressions in compiled code (0.02 to 0.18; three times as much while the code is still interpreted). All
 * other prices are set so that a unit takes no longer.
 */
final class EvaluationBudget {
    /** The units that one scope may spend: about 30 milliseconds. */
    static final int UNITS_MAX = 200_000;

    private static final int CHARACTERS_PER_UNIT = 32;
    /** The price of an error, even if an operator tolerates it. */
    static final int FAILURE_UNITS = 100;

    private static final String ACCUMULATOR = "@result";

    /** The known weights; created when the first value is weighed. */
    private @Nullable IdentityHashMap<Object, Integer> weights;

    private final UnitCounter counter;
    private long remaining = UNITS_MAX;

    EvaluationBudget(UnitCounter counter) {
        this.counter = counter;
    }

    void spend(long units) {
        remaining -= units;
        counter.add(units);
        if (remaining < 0) {
            throw new BudgetExceeded();
        }
    }

    /** Charges for a text that is read from the data. */
    String chargeText(String text) {
        spend(text.length() / CHARACTERS_PER_UNIT);
        return text;
    }

    /** Charges for an evaluated node, and for a node before it that failed and whose error was tolerated. */
    void chargeNode(CelExpr node, Object value, boolean failed) {
        spend(failed ? 1 + FAILURE_UNITS : 1);
        if (value instanceof String text) {
            spend(text.length() / CHARACTERS_PER_UNIT);
        } else if ((value instanceof List<?> || value instanceof Map<?, ?>) && !isAccumulator(node)) {
            spend(weigh(value));
        }
    }

    /** Returns the total size of a value that the expression created. Data from outside is charged when it is read. */
    int weigh(Object value) {
        if (value instanceof JsonView || value instanceof LazyRange) {
            return 1;
        }
        if (value instanceof String text) {
            return 1 + text.length() / CHARACTERS_PER_UNIT;
        }
        Integer cached = weights == null ? null : weights.get(value);
        if (cached != null) {
            return cached;
        }
        long weight = 1;
        if (value instanceof List<?> list) {
            for (Object element : list) {
                weight += weigh(element);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                weight += weigh(entry.getKey()) + weigh(entry.getValue());
            }
        }
        return cacheWeight(value, (int) Math.min(weight, UNITS_MAX + 1L), weight > 1);
    }

    /**
     * Remembers the weight of a value. An empty list is not remembered: it may be the list that a loop is about to
     * fill.
     */
    private int cacheWeight(Object value, int weight, boolean isFilled) {
        if (isFilled) {
            weights = weights == null ? new IdentityHashMap<>() : weights;
            weights.put(value, weight);
        }
        return weight;
    }

    /**
     * True if the node passes on the growing list of a loop, which happens in every iteration. The list is weighed
     * once, at the end.
     */
    private static boolean isAccumulator(CelExpr node) {
        return switch (node.getKind()) {
            case IDENT -> node.ident().name().equals(ACCUMULATOR);
            case CALL -> {
                var call = node.call();
                CelExpr first = call.args().isEmpty() ? node : call.args().getFirst();
                boolean appends = call.function().equals("_+_")
                        && first.getKind() == CelExpr.ExprKind.Kind.IDENT
                        && first.ident().name().equals(ACCUMULATOR);
                yield appends || call.function().equals("_?_:_");
            }
            default -> false;
        };
    }

    /** Thrown when an evaluation costs more than its budget. */
    static final class BudgetExceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BudgetExceeded() {
            // Without a stack trace: operators that tolerate errors can meet this exception in every iteration of a
            // loop.
            super("its evaluation costs too much (more than " + UNITS_MAX + " units)", null, false, false);
        }
    }
}
