package dev.weir.testkit.tidy;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Walks one Java file and notes broken rules in its types, methods, switches and calls. */
final class UnitScan extends TreePathScanner<@Nullable Void, @Nullable Void> {
    static final int METHOD_LINES_MAX = 60;
    static final int PARAMETERS_MAX = 5;

    private static final Pattern FORBIDDEN_NAME = Pattern.compile(
            "\\w*(Manager|Helper|Helpers|Util|Utils|Impl|Service|Processor|Base|DTO|Dto)|Base[A-Z]\\w*|Weir[A-Z]\\w*");
    private static final Pattern SENTENCE = Pattern.compile("(R[0-9X]_\\d+_)?[a-z0-9]+(_[a-z0-9]+){2,}");
    private static final Pattern TEST = Pattern.compile("Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate");
    private static final Pattern SLEEP =
            Pattern.compile("(java\\.lang\\.)?Thread\\.sleep|.*TimeUnit\\.\\w+\\.sleep|.*LockSupport\\.park\\w*");

    private final SourcePositions positions;
    private final Source source;
    private final ClosedTypes closed;
    private final List<Finding> findings;

    UnitScan(SourcePositions positions, Source source, ClosedTypes closed, List<Finding> findings) {
        this.positions = positions;
        this.source = source;
        this.closed = closed;
        this.findings = findings;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
        var name = type.getSimpleName().toString();
        if (FORBIDDEN_NAME.matcher(name).matches()) {
            addFinding(Rule.TYPE_NAME, type, "type " + name);
        }
        return super.visitClass(type, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
        var name = method.getName().toString();
        var body = method.getBody();
        if (body != null && lines(body) > METHOD_LINES_MAX) {
            var message = name + " has " + lines(body) + " lines, at most " + METHOD_LINES_MAX + " are allowed";
            addFinding(Rule.METHOD_LENGTH, method, message);
        }
        var parameters = method.getParameters().size();
        if (parameters > PARAMETERS_MAX && !isAnnotated(method, "Override") && !isConstructorOfARecord(method)) {
            var message = name + " has " + parameters + " parameters, at most " + PARAMETERS_MAX + " are allowed";
            addFinding(Rule.PARAMETERS, method, message);
        }
        if (isAnnotated(method, TEST.pattern()) && !SENTENCE.matcher(name).matches()) {
            addFinding(Rule.TEST_NAME, method, "test " + name);
        }
        return super.visitMethod(method, null);
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree tree, @Nullable Void unused) {
        checkCases(tree, tree.getCases());
        return super.visitSwitch(tree, null);
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, @Nullable Void unused) {
        checkCases(tree, tree.getCases());
        return super.visitSwitchExpression(tree, null);
    }

    private void checkCases(Tree tree, List<? extends CaseTree> cases) {
        if (closed.hidesNewCases(cases)) {
            addFinding(Rule.OPEN_SWITCH, tree, "a switch over a closed set has a default");
        }
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void unused) {
        var name = call.getMethodSelect().toString();
        if (source.isTest() && SLEEP.matcher(name).matches()) {
            addFinding(Rule.SLEEP, call, "a test calls " + name);
        }
        return super.visitMethodInvocation(call, null);
    }

    private boolean isConstructorOfARecord(MethodTree method) {
        return method.getReturnType() == null
                && getCurrentPath().getParentPath().getLeaf() instanceof ClassTree type
                && type.getKind() == Tree.Kind.RECORD;
    }

    private static boolean isAnnotated(MethodTree method, String name) {
        return method.getModifiers().getAnnotations().stream()
                .map(AnnotationTree::getAnnotationType)
                .anyMatch(type -> type.toString().matches("(.*\\.)?(" + name + ")"));
    }

    private long lines(BlockTree body) {
        var map = unit().getLineMap();
        var first = map.getLineNumber(positions.getStartPosition(unit(), body));
        var last = map.getLineNumber(positions.getEndPosition(unit(), body));
        return last - first + 1;
    }

    private void addFinding(Rule rule, Tree tree, String found) {
        var line = unit().getLineMap().getLineNumber(positions.getStartPosition(unit(), tree));
        findings.add(new Finding(rule, source.file(), line, found));
    }

    private CompilationUnitTree unit() {
        return getCurrentPath().getCompilationUnit();
    }
}
