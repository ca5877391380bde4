package dev.weir.core.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the evaluations of one scope may still cost. CEL bounds only the number of iterations; texts and lists that double, and long
 * comparisons, are bounded here: by what each evaluated node yields, and by each element that is read from the data.
 */
final class Meter implements CelEvaluationListener {
    static final int COST_MAX = 500_000;
    private static final int CHARACTERS_PER_UNIT = 32;
    private static final String ACCUMULATOR = "@result";

    /** Weights that are known; made when there is something to weigh. */
    private @Nullable IdentityHashMap<Object, Integer> weights;

    private final Scope.Tally tally;
    private long left = COST_MAX;

    Meter(Scope.Tally tally) {
        this.tally = tally;
    }

    void spend(long units) {
        left -= units;
        tally.spent += units;
        if (left < 0) {
            throw new OverBudget();
        }
    }

    @Override
    public void callback(CelExpr node, Object value) {
        spend(1);
        if (value instanceof String text) {
            spend(text.length() / CHARACTERS_PER_UNIT);
        } else if ((value instanceof List<?> || value instanceof Map<?, ?>) && !accumulates(node)) {
            spend(weigh(value));
        }
    }

    /** The size in all of what an expression made itself; data from outside is charged when it is read. */
    private int weigh(Object value) {
        if (value instanceof JsonView || value instanceof Range) {
            return 1;
        }
        if (value instanceof String text) {
            return 1 + text.length() / CHARACTERS_PER_UNIT;
        }
        Integer known = weights == null ? null : weights.get(value);
        if (known != null) {
            return known;
        }
        long weight = 1;
        if (value instanceof List<?> list) {
            for (Object element : list) {
                weight += weigh(element);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Object element : map.values()) {
                weight += 1 + weigh(element);
            }
        }
        return remember(value, (int) Math.min(weight, COST_MAX + 1L), weight > 1);
    }

    /** An empty list is not remembered: it may be the one that a loop is about to fill. */
    private int remember(Object value, int weight, boolean filled) {
        if (filled) {
            weights = weights == null ? new IdentityHashMap<>() : weights;
            weights.put(value, weight);
        }
        return weight;
    }

    /** A loop passes its growing list around at each turn; it is weighed once, at the end. */
    private static boolean accumulates(CelExpr node) {
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

    /** The evaluation would cost too much. */
    static final class OverBudget extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OverBudget() {
            super("it costs too much to evaluate (more than " + COST_MAX + " units)");
        }
    }
}
