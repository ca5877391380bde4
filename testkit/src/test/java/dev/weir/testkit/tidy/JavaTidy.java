package dev.weir.testkit.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Checks Java files with the compiler's own parser, so that lengths and names are exact. */
final class JavaTidy {
    static final int FILE_LINES_MAX = 400;

    private static final Pattern FORBIDDEN_PACKAGE =
            Pattern.compile("(^|\\.)(utils?|commons?|models?|impl|helpers?|misc)(\\.|$)");
    private static final Pattern SECOND_SENTENCE = Pattern.compile("[.!?]\\s+\\p{Lu}");

    private final Map<CompilationUnitTree, Source> units = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final DocTrees trees;

    private JavaTidy(List<Source> sources) {
        var files = new HashMap<URI, Source>();
        sources.stream().filter(Source::isJava).forEach(source -> files.put(uri(source), source));
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var inputs = files.values().stream().map(Unit::new).toList();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var task = (JavacTask) compiler.getTask(null, null, diagnostics, List.of("-proc:none"), null, inputs);
        trees = DocTrees.instance(task);
        try {
            for (var unit : task.parse()) {
                units.put(
                        unit,
                        Objects.requireNonNull(files.get(unit.getSourceFile().toUri())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (var diagnostic : diagnostics.getDiagnostics()) {
            var file = diagnostic.getSource() == null
                    ? null
                    : files.get(diagnostic.getSource().toUri());
            if (file != null) {
                findings.add(new Finding(
                        Rule.UNREADABLE, file.file(), diagnostic.getLineNumber(), diagnostic.getMessage(null)));
            }
        }
    }

    static List<Finding> check(List<Source> sources) {
        var tidy = new JavaTidy(sources);
        var closed = new ClosedTypes(tidy.units.keySet());
        tidy.units.forEach((unit, source) -> {
            tidy.checkLength(source);
            tidy.checkPackage(unit, source);
            new UnitScan(tidy.trees.getSourcePositions(), source, closed, tidy.findings).scan(unit, null);
        });
        tidy.checkPackageInfos();
        return tidy.findings;
    }

    private void checkLength(Source source) {
        var lines = source.text().lines().count();
        if (lines > FILE_LINES_MAX) {
            findings.add(new Finding(
                    Rule.FILE_LENGTH,
                    source.file(),
                    lines,
                    lines + " lines, at most " + FILE_LINES_MAX + " are allowed"));
        }
    }

    private void checkPackage(CompilationUnitTree unit, Source source) {
        var name = packageOf(unit);
        if (FORBIDDEN_PACKAGE.matcher(name).find()) {
            findings.add(new Finding(Rule.PACKAGE_NAME, source.file(), 1, "package " + name));
        }
        if (source.file().endsWith("package-info.java")) {
            checkPackageInfo(unit, source);
        }
    }

    private void checkPackageInfo(CompilationUnitTree unit, Source source) {
        var marked = unit.getPackageAnnotations().stream()
                .anyMatch(
                        annotation -> annotation.getAnnotationType().toString().endsWith("NullMarked"));
        if (!marked) {
            findings.add(new Finding(Rule.PACKAGE_INFO, source.file(), 1, "no @NullMarked"));
        }
        var comment = trees.getDocComment(new TreePath(new TreePath(unit), unit.getPackage()));
        var text = comment == null ? "" : comment.strip();
        if (!text.endsWith(".") || SECOND_SENTENCE.matcher(text).find()) {
            findings.add(new Finding(Rule.PACKAGE_INFO, source.file(), 1, "the comment is '" + text + "'"));
        }
    }

    /** Requires one package-info.java for each package of a Maven module. Tests share that of the main sources. */
    private void checkPackageInfos() {
        var first = new HashMap<String, Source>();
        units.forEach((unit, source) -> first.merge(
                mavenModule(source) + " " + packageOf(unit),
                source,
                (a, b) -> a.file().compareTo(b.file()) <= 0 ? a : b));
        units.forEach((unit, source) -> {
            if (source.file().endsWith("package-info.java")) {
                first.remove(mavenModule(source) + " " + packageOf(unit));
            }
        });
        // A program of one file, such as an example, belongs to no Maven module and has no package.
        first.remove(" ");
        first.forEach((name, source) -> findings.add(new Finding(
                Rule.PACKAGE_INFO, source.file(), 1, "no package-info.java in package " + name.split(" ", -1)[1])));
    }

    private static String mavenModule(Source source) {
        var end = source.file().indexOf("src/");
        return end < 0 ? "" : source.file().substring(0, end);
    }

    private static String packageOf(CompilationUnitTree unit) {
        var declared = unit.getPackageName();
        return declared == null ? "" : declared.toString();
    }

    private static URI uri(Source source) {
        return URI.create("string:///" + source.file().replace(' ', '_'));
    }

    /** A source file in the form that the compiler needs. */
    private static final class Unit extends SimpleJavaFileObject {
        private final Source source;

        Unit(Source source) {
            super(uri(source), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source.text();
        }
    }
}
