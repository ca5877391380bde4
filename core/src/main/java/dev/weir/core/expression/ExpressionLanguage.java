package dev.weir.core.expression;

import dev.cel.common.CelOptions;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import java.util.Arrays;
import java.util.Optional;

/** Weir's dialect of CEL: its variables, functions and bounds. */
final class ExpressionLanguage {
    static final int EXPRESSION_CHARS_MAX = 4_096;
    static final int NESTING_MAX = 48;
    static final int NODES_MAX = 1_000;
    static final int ITERATIONS_MAX = 20_000;

    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(EXPRESSION_CHARS_MAX)
            .maxParseRecursionDepth(NESTING_MAX)
            .maxParseExpressionNodeCount(NODES_MAX)
            .comprehensionMaxIterations(ITERATIONS_MAX)
            .enableHeterogeneousNumericComparisons(true)
            .enableHiddenAccumulatorVar(true)
            .build();

    static final CelCompiler COMPILER = compiler();

    // Not CEL's planner runtime: it reads every variable completely before it evaluates, and copies a list in each
    // iteration.
    static final CelRuntime RUNTIME = runtime();

    /** The functions, not yet charged to a budget. */
    static final CelFunctionResolver BINDINGS = ExpressionFunctions.bind(OPTIONS);

    private ExpressionLanguage() {}

    private static CelCompiler compiler() {
        var builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setStandardEnvironmentEnabled(false)
                .addFunctionDeclarations(ExpressionFunctions.DECLARATIONS);
        for (Variable variable : Variable.values()) {
            builder.addVar(variable.celName(), variable.isFunction() ? SimpleType.BOOL : SimpleType.DYN);
        }
        Arrays.stream(Variable.values())
                .filter(Variable::isFunction)
                .forEach(function -> builder.addMacros(callMacro(function)));
        return builder.build();
    }

    /**
     * Creates a runtime that only has the loop guard built in, so that it asks {@link ExpressionFunctions} for all
     * other functions.
     */
    private static CelRuntime runtime() {
        return CelRuntimeFactory.legacyCelRuntimeBuilder()
                .setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false)
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .includeFunctions(StandardFunction.NOT_STRICTLY_FALSE)
                        .build())
                .build();
    }

    /** Creates a macro that reads a call without arguments as a variable, so that its value comes from the scope. */
    private static CelMacro callMacro(Variable function) {
        return CelMacro.newGlobalMacro(
                function.variableName(),
                0,
                (factory, target, arguments) -> Optional.of(factory.newIdentifier(function.celName())));
    }
}
