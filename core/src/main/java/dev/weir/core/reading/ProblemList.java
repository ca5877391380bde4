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
    static final int REFUSALS_MAX = 50;

    private final SourceDocument document;
    private final List<ReadProblem> refusals = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();

    ProblemList(SourceDocument document) {
        this.document = document;
    }

    /** True if the document was checked before it was stored. */
    boolean isStored() {
        return document.isStored();
    }

    boolean isEmpty() {
        return refusals.isEmpty();
    }

    /** Returns the problems in the order of the text. */
    List<ReadProblem> inOrder() {
        return refusals.stream()
                .sorted(Comparator.comparingInt(
                                (ReadProblem refusal) -> refusal.position().line())
                        .thenComparingInt(refusal -> refusal.position().column()))
                .toList();
    }

    void add(String path, String message) {
        if (isFull()) {
            return;
        }
        add(new ReadProblem(document.valueAt(path), path, message));
    }

    /** Adds a problem with the name of a field that should not be there. */
    void addName(String path, String message) {
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
        return refusals.size() >= REFUSALS_MAX;
    }

    private void add(ReadProblem refusal) {
        if (!isFull() && paths.add(refusal.path())) {
            refusals.add(refusal);
        }
    }
}
