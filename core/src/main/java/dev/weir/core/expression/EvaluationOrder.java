package dev.weir.core.expression;

import dev.cel.common.ast.CelExpr;
import java.util.Arrays;
import java.util.List;

/**
 * The order in which the nodes of an expression are evaluated, as far as it is needed to detect failures. CEL does not
 * report a node that fails, and operators such as {@code ||} tolerate its error, so a loop could fail in every
 * iteration at almost no charge.
 */
final class EvaluationOrder {
    private static final int NONE = 0;

    /** Maps the id of a node to the node whose operands are complete once this one is evaluated. */
    private int[] completedNodes = new int[64];
    /** True, by the id of a node, if its value must be a boolean. */
    private boolean[] requiresBoolean = new boolean[64];

    private EvaluationOrder() {}

    static EvaluationOrder of(CelExpr expression) {
        var order = new EvaluationOrder();
        order.visit(expression);
        return order;
    }

    /** Starts to watch one evaluation for nodes that fail. */
    Watch watch() {
        return new Watch();
    }

    /** The progress of one evaluation. */
    final class Watch {
        private int expectedNode = NONE;

        /** True if a node failed since the previous call, or fails now. */
        boolean detectFailure(CelExpr node, Object value) {
            int id = (int) node.id();
            boolean failed = expectedNode != NONE && expectedNode != id;
            expectedNode = id < completedNodes.length ? completedNodes[id] : NONE;
            return failed || (id < requiresBoolean.length && requiresBoolean[id] && !(value instanceof Boolean));
        }
    }

    private void visit(CelExpr node) {
        switch (node.getKind()) {
            case SELECT -> {
                visit(node.select().operand());
                recordCompletion(node.select().operand(), node);
            }
            case CALL -> visitCall(node);
            case LIST -> {
                node.list().elements().forEach(this::visit);
                recordLastOperand(node.list().elements(), node);
            }
            case MAP -> visitMap(node);
            case COMPREHENSION -> {
                visit(node.comprehension().iterRange());
                visit(node.comprehension().accuInit());
                visit(node.comprehension().loopCondition());
                visit(node.comprehension().loopStep());
                visit(node.comprehension().result());
            }
            case STRUCT, IDENT, CONSTANT, NOT_SET -> {}
        }
    }

    private void visitCall(CelExpr node) {
        List<CelExpr> arguments = node.call().args();
        node.call().target().ifPresent(this::visit);
        arguments.forEach(this::visit);
        switch (node.call().function()) {
            case "_?_:_" -> {
                requireBoolean(arguments.getFirst());
                recordCompletion(arguments.get(1), node);
                recordCompletion(arguments.get(2), node);
            }
            case "_||_", "_&&_" -> arguments.forEach(this::requireBoolean);
            default ->
                recordLastOperand(
                        arguments.isEmpty() ? node.call().target().stream().toList() : arguments, node);
        }
    }

    /** Records the order within a map literal. A duplicate key fails before its value is evaluated. */
    private void visitMap(CelExpr node) {
        for (CelExpr.CelMap.Entry entry : node.map().entries()) {
            visit(entry.key());
            visit(entry.value());
            recordCompletion(entry.key(), firstEvaluated(entry.value()));
            recordCompletion(entry.value(), node);
        }
        for (int i = 1; i < node.map().entries().size(); i++) {
            recordCompletion(
                    node.map().entries().get(i - 1).value(),
                    firstEvaluated(node.map().entries().get(i).key()));
        }
    }

    /** Returns the node within a node that is evaluated first. */
    private static CelExpr firstEvaluated(CelExpr node) {
        return switch (node.getKind()) {
            case SELECT -> firstEvaluated(node.select().operand());
            case CALL ->
                node.call()
                        .target()
                        .map(EvaluationOrder::firstEvaluated)
                        .orElseGet(() -> firstEvaluated(node.call().args(), node));
            case LIST -> firstEvaluated(node.list().elements(), node);
            case MAP ->
                node.map().entries().isEmpty()
                        ? node
                        : firstEvaluated(node.map().entries().getFirst().key());
            case COMPREHENSION -> firstEvaluated(node.comprehension().iterRange());
            case STRUCT, IDENT, CONSTANT, NOT_SET -> node;
        };
    }

    private static CelExpr firstEvaluated(List<CelExpr> operands, CelExpr node) {
        return operands.isEmpty() ? node : firstEvaluated(operands.getFirst());
    }

    private void recordLastOperand(List<CelExpr> operands, CelExpr node) {
        if (!operands.isEmpty()) {
            recordCompletion(operands.getLast(), node);
        }
    }

    private void recordCompletion(CelExpr operand, CelExpr node) {
        int id = ensureCapacity(operand);
        completedNodes[id] = (int) node.id();
    }

    private void requireBoolean(CelExpr node) {
        int id = ensureCapacity(node);
        requiresBoolean[id] = true;
    }

    private int ensureCapacity(CelExpr node) {
        int id = (int) node.id();
        if (id >= completedNodes.length) {
            completedNodes = Arrays.copyOf(completedNodes, 2 * id);
            requiresBoolean = Arrays.copyOf(requiresBoolean, 2 * id);
        }
        return id;
    }
}
