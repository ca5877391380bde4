package dev.weir.core.definition;

import java.util.List;
import java.util.stream.Collectors;

/** A definition that was refused, with every reason that was seen. */
public final class InvalidDefinition extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public InvalidDefinition(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    InvalidDefinition(String field, String expected, String found) {
        this(List.of(new Problem(field.isEmpty() ? "" : "/" + field, expected, found)));
    }

    public List<Problem> problems() {
        return problems;
    }
}
