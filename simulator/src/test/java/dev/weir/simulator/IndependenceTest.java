package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a reference shares no code with what it checks. The checkers, which find broken promises, use only the
 * trace and the definitions. The expected rows of a journal are computed without the code of the journal in memory.
 */
class IndependenceTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "weir", "simulator");
    private static final Path JOURNAL =
            Path.of("..", "testkit", "src", "main", "java", "dev", "weir", "testkit", "journal");
    /** The classes that make up the journal in memory. */
    private static final List<String> STORE = List.of(
            "MemoryJournal",
            "MemoryEvents",
            "MemoryRecords",
            "MemoryShardOwnership",
            "MemoryTables",
            "MemoryTransaction",
            "MoveHistory",
            "StoredOrganisation");
    /** The classes that say what a journal must contain. */
    private static final List<String> REFERENCE =
            List.of("ExpectedRows", "ExpectedAccess", "ExpectedAttention", "ExpectedEvents", "RecordsCheck");

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
                "EventCheck",
                "CompensationCheck",
                "AttentionCheck"
            })
    void a_checker_uses_no_class_of_the_limits_or_of_admission(String checker) throws IOException {
        assertThat(Files.readAllLines(SOURCES.resolve(checker + ".java")))
                .filteredOn(line -> line.contains("dev.weir.core.limit.") || line.contains("dev.weir.core.admission."))
                .as(
                        "an explanation is the engine's answer to why something waits; an id names a limit, and decides nothing")
                .isSubsetOf("import dev.weir.core.admission.Explanation;", "import dev.weir.core.limit.LimitId;");
    }

    @Test
    void the_expected_rows_and_the_journal_in_memory_share_no_code() throws IOException {
        for (String reference : REFERENCE) {
            for (String store : STORE) {
                assertThat(Files.readString(JOURNAL.resolve(reference + ".java")))
                        .doesNotContain(store);
                assertThat(Files.readString(JOURNAL.resolve(store + ".java"))).doesNotContain(reference);
            }
        }
    }

    @Test
    void the_expected_rows_use_no_rule_about_which_starts_count() throws IOException {
        assertThat(Files.readString(JOURNAL.resolve("ExpectedRows.java"))).doesNotContain("LongestPeriods");
    }
}
