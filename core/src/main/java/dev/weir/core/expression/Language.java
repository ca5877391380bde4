package dev.weir.core.expression;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** CEL as Weir speaks it: its variables, its functions and its bounds. */
final class Language {
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

    // Not the planner runtime: it reads every variable to its end before it evaluates, and copies a list at each turn.
    static final CelRuntime RUNTIME =
            CelRuntimeFactory.legacyCelRuntimeBuilder().setOptions(OPTIONS).build();

    private Language() {}

    private static CelCompiler compiler() {
        var builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(functions())
                .addFunctionDeclarations(range(), matches());
        for (Variable variable : Variable.values()) {
            builder.addVar(variable.celName(), variable.isFunction() ? SimpleType.BOOL : SimpleType.DYN);
        }
        Arrays.stream(Variable.values())
                .filter(Variable::isFunction)
                .forEach(function -> builder.addMacros(call(function)));
        return builder.build();
    }

    private static CelFunctionDecl range() {
        return CelFunctionDecl.newFunctionDeclaration(
                MeteredFunctions.RANGE,
                CelOverloadDecl.newGlobalOverload(
                        MeteredFunctions.RANGE_INT, ListType.create(SimpleType.INT), SimpleType.INT));
    }

    private static CelFunctionDecl matches() {
        return CelFunctionDecl.newFunctionDeclaration(
                MeteredFunctions.MATCHES,
                CelOverloadDecl.newMemberOverload(
                        MeteredFunctions.TEXT_MATCHES, SimpleType.BOOL, SimpleType.STRING, SimpleType.STRING),
                CelOverloadDecl.newGlobalOverload(
                        MeteredFunctions.MATCHES_TEXT, SimpleType.BOOL, SimpleType.STRING, SimpleType.STRING));
    }

    /** What has no form in JSON is left out; each declared function also costs time at every compilation. */
    private static CelStandardDeclarations functions() {
        List<StandardFunction> left = Arrays.stream(StandardFunction.values())
                .filter(function ->
                        !function.name().startsWith("GET_") && !function.name().startsWith("OLD_"))
                .filter(function -> function != StandardFunction.BYTES && function != StandardFunction.UINT)
                .filter(function -> function != StandardFunction.TYPE && function != StandardFunction.MATCHES)
                .toList();
        return CelStandardDeclarations.newBuilder().includeFunctions(left).build();
    }

    /** A call without arguments is read as a variable, so that its value comes from the scope. */
    private static CelMacro call(Variable function) {
        return CelMacro.newGlobalMacro(
                function.word(),
                0,
                (factory, target, arguments) -> Optional.of(factory.newIdentifier(function.celName())));
    }
}
