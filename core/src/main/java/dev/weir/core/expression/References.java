package dev.weir.core.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What an expression reads, found without evaluating it; names that a loop binds itself hide variables. */
final class References {
    private final EnumSet<Variable> variables = EnumSet.noneOf(Variable.class);
    private final Set<String> steps = new HashSet<>();
    private boolean metered;

    private References() {}

    static References of(CelExpr expression) {
        var references = new References();
        references.visit(expression, Set.of());
        return references;
    }

    Set<Variable> variables() {
        return Set.copyOf(variables);
    }

    /** The ids of the steps that are named; a computed id is not known here. */
    Set<String> steps() {
        return Set.copyOf(steps);
    }

    /** Whether it calls a function that is charged for what it does. */
    boolean metered() {
        return metered;
    }

    private void visit(CelExpr node, Set<String> bound) {
        switch (node.getKind()) {
            case IDENT -> {
                if (!bound.contains(node.ident().name())) {
                    Variable.byCelName(node.ident().name()).ifPresent(variables::add);
                }
            }
            case SELECT -> visit(node.select().operand(), bound);
            case CALL -> {
                metered |= MeteredFunctions.has(node.call().function());
                node.call().target().ifPresent(target -> visit(target, bound));
                node.call().args().forEach(argument -> visit(argument, bound));
            }
            case LIST -> node.list().elements().forEach(element -> visit(element, bound));
            case MAP ->
                node.map().entries().forEach(entry -> {
                    visit(entry.key(), bound);
                    visit(entry.value(), bound);
                });
            case STRUCT -> node.struct().entries().forEach(entry -> visit(entry.value(), bound));
            case COMPREHENSION -> visitLoop(node.comprehension(), bound);
            case CONSTANT, NOT_SET -> {}
        }
        memberOf(node, Variable.STEPS, bound).ifPresent(steps::add);
    }

    private void visitLoop(CelExpr.CelComprehension loop, Set<String> bound) {
        visit(loop.iterRange(), bound);
        visit(loop.accuInit(), bound);
        Set<String> inner = new HashSet<>(bound);
        inner.add(loop.iterVar());
        inner.add(loop.iterVar2());
        inner.add(loop.accuVar());
        visit(loop.loopCondition(), inner);
        visit(loop.loopStep(), inner);
        visit(loop.result(), inner);
    }

    /** The x of {@code variable.x} or {@code variable["x"]}. */
    static Optional<String> memberOf(CelExpr node, Variable variable, Set<String> bound) {
        if (node.getKind() == CelExpr.ExprKind.Kind.SELECT && is(node.select().operand(), variable, bound)) {
            return Optional.of(node.select().field());
        }
        boolean indexed = node.getKind() == CelExpr.ExprKind.Kind.CALL
                && node.call().function().equals("_[_]")
                && is(node.call().args().getFirst(), variable, bound);
        if (!indexed || node.call().args().getLast().getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
            return Optional.empty();
        }
        CelConstant index = node.call().args().getLast().constant();
        return index.getKind() == CelConstant.Kind.STRING_VALUE ? Optional.of(index.stringValue()) : Optional.empty();
    }

    private static boolean is(CelExpr node, Variable variable, Set<String> bound) {
        return node.getKind() == CelExpr.ExprKind.Kind.IDENT
                && node.ident().name().equals(variable.celName())
                && !bound.contains(node.ident().name());
    }
}
