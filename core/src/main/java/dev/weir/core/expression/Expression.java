package dev.weir.core.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.weir.core.naming.NearestName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A compiled CEL expression. */
final class Expression {
    private static final Pattern UNKNOWN = Pattern.compile("undeclared reference to '([^']*)'.*");

    private static final int COMPILED_MAX = 1_024;
    private static final Map<String, Expression> COMPILED = new ConcurrentHashMap<>();

    private final String text;
    private final CelRuntime.Program program;
    private final References references;
    private final EvaluationOrder order;
    private final Optional<String> secret;

    private Expression(
            String text,
            CelRuntime.Program program,
            References references,
            EvaluationOrder order,
            Optional<String> secret) {
        this.text = text;
        this.program = program;
        this.references = references;
        this.order = order;
        this.secret = secret;
    }

    /** Returns the expression of that text, from a cache if it was compiled before. */
    static Expression of(String text) {
        Expression known = COMPILED.get(text);
        if (known != null) {
            return known;
        }
        Expression compiled = compile(text);
        if (COMPILED.size() >= COMPILED_MAX) {
            COMPILED.clear();
        }
        COMPILED.put(text, compiled);
        return compiled;
    }

    private static Expression compile(String text) {
        if (text.isBlank()) {
            throw new InvalidExpression("", 0, "expected an expression, found nothing");
        }
        try {
            CelAbstractSyntaxTree tree =
                    ExpressionLanguage.COMPILER.compile(text).getAst();
            References references = References.of(tree.getExpr());
            Optional<String> secret = References.memberOf(tree.getExpr(), Variable.SECRETS, Set.of());
            if (references.variables().contains(Variable.SECRETS) && secret.isEmpty()) {
                String expected = "expected a secret to stand alone, as in ${{ secrets.NAME }}";
                throw new InvalidExpression("", 0, expected + ", found it inside a larger expression");
            }
            EvaluationOrder order = EvaluationOrder.of(tree.getExpr());
            return new Expression(text, ExpressionLanguage.RUNTIME.createProgram(tree), references, order, secret);
        } catch (CelValidationException e) {
            throw invalid(text, e.getErrors().getFirst());
        } catch (CelEvaluationException e) {
            throw new InvalidExpression("", 0, String.valueOf(e.getMessage()));
        }
    }

    String text() {
        return text.strip();
    }

    References references() {
        return references;
    }

    /** Returns the secret's name if the expression consists of one secret. */
    Optional<String> secret() {
        return secret;
    }

    /** Evaluates to a CEL value. */
    Object evaluate(Scope scope, EvaluationBudget meter) {
        try {
            Map<String, Object> variables = new HashMap<>();
            for (Variable variable : references.variables()) {
                JsonNode value = scope.find(variable);
                if (value == null) {
                    throw new RenderFailed(scope, text(), variable.word() + " is not available here");
                }
                variables.put(variable.celName(), JsonView.of(value, meter));
            }
            EvaluationOrder.Watch watch = order.watch();
            return program.trace(
                    variables,
                    ExpressionFunctions.chargedTo(meter),
                    (node, value) -> meter.evaluated(node, value, watch.failed(node, value)));
        } catch (CelEvaluationException | EvaluationBudget.OverBudget e) {
            scope.count(EvaluationBudget.FAILURE);
            throw new RenderFailed(scope, text(), MissingName.explain(reason(e), references, scope));
        }
    }

    /**
     * Returns the reason of a failure. Messages of Weir's own functions are used alone, because CEL's message around
     * them quotes all arguments.
     */
    private static String reason(Exception e) {
        Throwable cause = e.getCause();
        Throwable said =
                cause instanceof EvaluationBudget.OverBudget || cause instanceof IllegalArgumentException ? cause : e;
        String message = String.valueOf(said.getMessage());
        return message.replaceFirst("^evaluation error( at <input>:\\d+)?: ", "");
    }

    private static InvalidExpression invalid(String text, CelIssue issue) {
        String message = issue.getMessage();
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.matches()) {
            String name = unknown.group(1);
            message = "unknown name '" + name + "'" + NearestName.hint(name, Variable.words());
        } else {
            message = message.replaceFirst(" expecting \\{?.*$", "").replace("'<EOF>'", "the end of the expression");
        }
        return new InvalidExpression("", offset(text, issue.getSourceLocation()), message);
    }

    private static int offset(String text, CelSourceLocation location) {
        int lineStart = 0;
        for (int line = 1; line < location.getLine(); line++) {
            lineStart = text.indexOf('\n', lineStart) + 1;
        }
        int column = Math.max(0, location.getColumn());
        // CEL counts code points, a file position counts characters.
        int codePoints = text.codePointCount(lineStart, text.length());
        return text.offsetByCodePoints(lineStart, Math.min(column, codePoints));
    }
}
