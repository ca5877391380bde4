package dev.weir.core.definition;

import java.util.List;
import java.util.stream.Collectors;

/** Refusal of a definition, with every problem that was found. */
public final class InvalidDefinition extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<DefinitionProblem> problems;

    public InvalidDefinition(List<DefinitionProblem> problems) {
        super(problems.stream().map(DefinitionProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    InvalidDefinition(String field, String expected, String found) {
        this(List.of(new DefinitionProblem(field.isEmpty() ? "" : "/" + field, expected, found)));
    }

    public List<DefinitionProblem> problems() {
        return problems;
    }
}
