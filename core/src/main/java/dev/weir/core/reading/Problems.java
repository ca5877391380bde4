package dev.weir.core.reading;

import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.Problem;
import dev.weir.core.expression.InvalidExpression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What was found to be wrong so far: one refusal for each field, and not more than anyone would read. */
final class Problems {
    static final int REFUSALS_MAX = 50;

    private final Document document;
    private final List<Refusal> refusals = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();

    Problems(Document document) {
        this.document = document;
    }

    boolean isEmpty() {
        return refusals.isEmpty();
    }

    /** The refusals in the order of the text. */
    List<Refusal> inOrder() {
        return refusals.stream()
                .sorted(Comparator.comparingInt(
                                (Refusal refusal) -> refusal.position().line())
                        .thenComparingInt(refusal -> refusal.position().column()))
                .toList();
    }

    void add(String path, String message) {
        if (isFull()) {
            return;
        }
        add(new Refusal(document.valueAt(path), path, message));
    }

    /** A field that should not be there: its name is what is wrong. */
    void addName(String path, String message) {
        if (isFull()) {
            return;
        }
        add(new Refusal(document.nameAt(path), path, message));
    }

    void add(String path, InvalidDefinition invalid) {
        for (Problem problem : invalid.problems()) {
            add(path + problem.path(), "expected " + problem.expected() + ", found " + problem.found());
        }
    }

    void add(String path, String value, InvalidExpression invalid) {
        if (isFull()) {
            return;
        }
        Position position = document.characterAt(path, value, invalid.offset());
        add(new Refusal(position, path, invalid.detail()));
    }

    /** Where it stands is not even looked for then: that costs the whole text each time. */
    private boolean isFull() {
        return refusals.size() >= REFUSALS_MAX;
    }

    private void add(Refusal refusal) {
        if (!isFull() && paths.add(refusal.path())) {
            refusals.add(refusal);
        }
    }
}
