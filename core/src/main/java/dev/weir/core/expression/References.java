package dev.weir.core.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The variables and paths that an expression reads, found without evaluating it. Names that a loop binds hide
 * variables.
 */
final class References {
    private final EnumSet<Variable> variables = EnumSet.noneOf(Variable.class);
    private final Set<String> steps = new HashSet<>();

    private final List<List<String>> paths = new ArrayList<>();

    private References() {}

    static References of(CelExpr expression) {
        var references = new References();
        references.visit(expression, Set.of());
        return references;
    }

    Set<Variable> variables() {
        return Set.copyOf(variables);
    }

    /** The ids of the steps that the expression names. Computed ids are unknown here. */
    Set<String> steps() {
        return Set.copyOf(steps);
    }

    /** The paths that the expression names, such as input, order, id. Each begins with a variable. */
    List<List<String>> paths() {
        return List.copyOf(paths);
    }

    private void visit(CelExpr node, Set<String> bound) {
        switch (node.getKind()) {
            case IDENT -> {
                if (!bound.contains(node.ident().name())) {
                    Variable.byCelName(node.ident().name()).ifPresent(variables::add);
                }
            }
            case SELECT -> {
                List<String> path = path(node, bound);
                if (!path.isEmpty()) {
                    paths.add(path);
                }
                visit(node.select().operand(), bound);
            }
            case CALL -> {
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

    /** Returns the names from a variable to a node; empty if anything else is between them. */
    private static List<String> path(CelExpr node, Set<String> bound) {
        ArrayDeque<String> names = new ArrayDeque<>();
        CelExpr at = node;
        while (at.getKind() == CelExpr.ExprKind.Kind.SELECT) {
            names.addFirst(at.select().field());
            at = at.select().operand();
        }
        boolean isVariable = at.getKind() == CelExpr.ExprKind.Kind.IDENT
                && !bound.contains(at.ident().name());
        if (!isVariable) {
            return List.of();
        }
        names.addFirst(at.ident().name());
        return List.copyOf(names);
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

    /** Returns the x of {@code variable.x} or {@code variable["x"]}. */
    static Optional<String> memberOf(CelExpr node, Variable variable, Set<String> bound) {
        if (node.getKind() == CelExpr.ExprKind.Kind.SELECT
                && isUnboundVariable(node.select().operand(), variable, bound)) {
            return Optional.of(node.select().field());
        }
        boolean indexed = node.getKind() == CelExpr.ExprKind.Kind.CALL
                && node.call().function().equals("_[_]")
                && isUnboundVariable(node.call().args().getFirst(), variable, bound);
        if (!indexed || node.call().args().getLast().getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
            return Optional.empty();
        }
        CelConstant index = node.call().args().getLast().constant();
        return index.getKind() == CelConstant.Kind.STRING_VALUE ? Optional.of(index.stringValue()) : Optional.empty();
    }

    private static boolean isUnboundVariable(CelExpr node, Variable variable, Set<String> bound) {
        return node.getKind() == CelExpr.ExprKind.Kind.IDENT
                && node.ident().name().equals(variable.celName())
                && !bound.contains(node.ident().name());
    }
}
