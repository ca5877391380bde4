package dev.weir.core.reading;

import dev.weir.core.definition.DefinitionProblem;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.expression.InvalidExpression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects problems: at most one for each field, and at most as many as someone would read. */
final class ProblemList {
    static final int PROBLEMS_MAX = 50;

    private final SourceDocument document;
    private final List<ReadProblem> problems = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();

    ProblemList(SourceDocument document) {
        this.document = document;
    }

    /** True if the document was checked before it was stored. */
    boolean isStored() {
        return document.isStored();
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    /** Returns the problems in the order of the text. */
    List<ReadProblem> inTextOrder() {
        return problems.stream()
                .sorted(Comparator.comparingInt(
                                (ReadProblem problem) -> problem.position().line())
                        .thenComparingInt(problem -> problem.position().column()))
                .toList();
    }

    void add(String path, String message) {
        if (isFull()) {
            return;
        }
        add(new ReadProblem(document.valueAt(path), path, message));
    }

    /** Adds a problem with the name of a field that should not be there. */
    void addAtName(String path, String message) {
        if (isFull()) {
            return;
        }
        add(new ReadProblem(document.nameAt(path), path, message));
    }

    void add(String path, InvalidDefinition invalid) {
        for (DefinitionProblem problem : invalid.problems()) {
            add(path + problem.path(), "expected " + problem.expected() + ", found " + problem.found());
        }
    }

    void add(String path, String value, InvalidExpression invalid) {
        if (isFull()) {
            return;
        }
        TextPosition position = document.characterAt(path, value, invalid.offset());
        add(new ReadProblem(position, path, invalid.detail()));
    }

    /**
     * True if no more problems are kept. Callers check this before they look up a position, because each lookup costs a
     * search of the whole text.
     */
    private boolean isFull() {
        return problems.size() >= PROBLEMS_MAX;
    }

    private void add(ReadProblem problem) {
        if (!isFull() && paths.add(problem.path())) {
            problems.add(problem);
        }
    }
}
