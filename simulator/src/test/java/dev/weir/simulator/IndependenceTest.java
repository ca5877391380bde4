package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the checkers, which find broken promises, use only the trace and the definitions, and not the rules that
 * they check.
 */
class IndependenceTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "weir", "simulator");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PromiseChecker",
                "LimitReference",
                "TraceState",
                "Requirement",
                "Requirements",
                "OperatorValues",
                "LeaseCheck",
                "ResponseCheck",
                "ChildRunCheck",
                "CompensationCheck"
            })
    void a_checker_uses_no_class_of_the_limits_or_of_admission(String checker) throws IOException {
        assertThat(Files.readAllLines(SOURCES.resolve(checker + ".java")))
                .filteredOn(line -> line.contains("dev.weir.core.limit.") || line.contains("dev.weir.core.admission."))
                .as("an explanation is what the engine answers to those who ask why something waits")
                .isSubsetOf("import dev.weir.core.admission.Explanation;");
    }
}
