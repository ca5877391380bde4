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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A CEL expression. A new one is compiled, and so checked, at once. An expression of a stored definition was checked
 * before, and is compiled at its first use: to compile a definition takes seconds, and the loop waits meanwhile.
 */
final class Expression {
    /**
     * The price of compiling an expression, in units: for each expression, and for each of its characters. Measured by
     * hand in a JVM that was started a moment ago, 2 to 4 ms and 5 to 13 microseconds; a tenth of that later.
     */
    static final int COMPILE_UNITS = 15_000;

    static final int COMPILE_UNITS_PER_CHARACTER = 45;

    private static final Pattern UNKNOWN_NAME = Pattern.compile("undeclared reference to '([^']*)'.*");

    private static final int CACHE_SIZE_MAX = 1_024;
    private static final Map<String, Compiled> CACHE = new ConcurrentHashMap<>();

    private final String text;
    private final Set<Variable> mentionedVariables;
    private final @Nullable SimplePath path;
    private volatile @Nullable Compiled compiled;

    /** The compiled form. */
    private record Compiled(
            CelRuntime.Program program, References references, EvaluationOrder order, Optional<String> secret) {}

    private Expression(String text) {
        this.text = text;
        this.mentionedVariables = MentionedVariables.of(text);
        this.path = SimplePath.find(text);
    }

    /** Compiles an expression. Throws {@link InvalidExpression} if it is invalid. */
    static Expression of(String text) {
        Compiled compiled = compile(text);
        var expression = new Expression(text);
        expression.compiled = compiled;
        return expression;
    }

    /** Returns an expression that was valid when it was stored. */
    static Expression fromStored(String text) {
        return new Expression(text);
    }

    /** Returns the compiled form of a text, from a cache if there is one. The cache does not change what is charged. */
    private static Compiled compile(String text) {
        Compiled cached = CACHE.get(text);
        if (cached != null) {
            return cached;
        }
        Compiled compiled = compileUncached(text);
        if (CACHE.size() >= CACHE_SIZE_MAX) {
            CACHE.clear();
        }
        CACHE.put(text, compiled);
        return compiled;
    }

    private static Compiled compileUncached(String text) {
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
            return new Compiled(ExpressionLanguage.RUNTIME.createProgram(tree), references, order, secret);
        } catch (CelValidationException e) {
            throw invalid(text, e.getErrors().getFirst());
        } catch (CelEvaluationException e) {
            throw new InvalidExpression("", 0, String.valueOf(e.getMessage()));
        }
    }

    String text() {
        return text.strip();
    }

    /** The variables that the expression mentions, found without compiling it. */
    Set<Variable> mentionedVariables() {
        return mentionedVariables;
    }

    /** True if the expression only names data. Such an expression is evaluated without compiling it. */
    boolean isPath() {
        return path != null;
    }

    /** True if the next evaluation does not compile the expression. */
    boolean isReady() {
        return path != null || compiled != null;
    }

    /** Compiles the expression if that was not done yet, and charges for it. */
    void makeReady(UnitCounter counter) {
        if (!isReady()) {
            compiled(counter);
        }
    }

    private Compiled compiled(UnitCounter counter) {
        Compiled cached = compiled;
        if (cached == null) {
            counter.add(COMPILE_UNITS + (long) COMPILE_UNITS_PER_CHARACTER * text.length());
            cached = compile(text);
            compiled = cached;
        }
        return cached;
    }

    References references() {
        return compiled(new UnitCounter()).references;
    }

    /** Returns the secret's name if the expression consists of one secret. */
    Optional<String> secret(Scope scope) {
        return mentionedVariables.contains(Variable.SECRETS) ? compiledFor(scope).secret : Optional.empty();
    }

    /** Evaluates to a CEL value. */
    Object evaluate(Scope scope, EvaluationBudget budget) {
        try {
            Object found = path == null ? null : path.find(scope, budget);
            return found == null ? evaluate(compiledFor(scope), scope, budget) : found;
        } catch (EvaluationBudget.BudgetExceeded e) {
            scope.addUnits(EvaluationBudget.FAILURE_UNITS);
            throw new RenderFailed(scope, text(), String.valueOf(e.getMessage()));
        }
    }

    /** Returns the compiled form. An expression that this version of Weir refuses fails where it is used. */
    private Compiled compiledFor(Scope scope) {
        try {
            return compiled(scope.counter());
        } catch (InvalidExpression e) {
            throw new RenderFailed(scope, text(), e.detail());
        }
    }

    private Object evaluate(Compiled executable, Scope scope, EvaluationBudget budget) {
        try {
            Map<String, Object> variables = new HashMap<>();
            for (Variable variable : executable.references.variables()) {
                JsonNode value = scope.find(variable);
                if (value == null) {
                    throw new RenderFailed(scope, text(), variable.variableName() + " is not available here");
                }
                variables.put(variable.celName(), JsonView.of(value, budget));
            }
            EvaluationOrder.Watch watch = executable.order.watch();
            return executable.program.trace(
                    variables,
                    ExpressionFunctions.chargedTo(budget),
                    (node, value) -> budget.chargeNode(node, value, watch.detectFailure(node, value)));
        } catch (CelEvaluationException | EvaluationBudget.BudgetExceeded e) {
            scope.addUnits(EvaluationBudget.FAILURE_UNITS);
            throw new RenderFailed(scope, text(), MissingName.explain(reason(e), executable.references, scope));
        }
    }

    /**
     * Returns the reason of a failure. Messages of Weir's own functions are used alone, because CEL's message around
     * them quotes all arguments.
     */
    private static String reason(Exception e) {
        Throwable cause = e.getCause();
        Throwable reported =
                cause instanceof EvaluationBudget.BudgetExceeded || cause instanceof IllegalArgumentException
                        ? cause
                        : e;
        String message = String.valueOf(reported.getMessage());
        return message.replaceFirst("^evaluation error( at <input>:\\d+)?: ", "");
    }

    private static InvalidExpression invalid(String text, CelIssue issue) {
        String message = issue.getMessage();
        Matcher unknown = UNKNOWN_NAME.matcher(message);
        if (unknown.matches()) {
            String name = unknown.group(1);
            message = "unknown name '" + name + "'" + NearestName.hint(name, Variable.variableNames());
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
