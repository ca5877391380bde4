package dev.weir.postgres.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.StartRun;
import dev.weir.core.state.RunState;
import dev.weir.engine.journal.Transaction;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a page searches only a bounded number of runs, whatever the filter. */
@Tag("S9")
class RunPagesTest {
    private static final int BATCH = 500;
    private static final int RUNS = 2 * Records.RUNS_EXAMINED_MAX + BATCH;

    private static final Records RECORDS = TestPostgres.postgres().records();
    private static final String ORG = TestPostgres.createOrganisation();

    @BeforeAll
    static void many_runs() {
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), ORG)) {
            for (int from = 0; from < RUNS; from += BATCH) {
                try (Transaction transaction = harness.ownership.begin()) {
                    for (int i = from; i < from + BATCH; i++) {
                        harness.write(transaction, StartRun.of("r" + i, harness.plan, OrganisationHarness.json("{}")));
                    }
                    transaction.commit();
                }
            }
            harness.commit(harness.completion(harness.claim(1).getFirst(), "1"));
        }
    }

    private static final List<RunFilter> NO_MATCHES = List.of(
            new RunFilter(Set.of(), null, Map.of("colour", "red")),
            new RunFilter(Set.of(), "nobody's", Map.of()),
            new RunFilter(Set.of(RunState.CANCELLED), null, Map.of()));

    @Test
    void a_search_without_matches_examines_a_bounded_number_of_runs_and_continues_from_there() {
        for (RunFilter filter : NO_MATCHES) {
            RecordPage<RunRecord> first = RECORDS.runs(ORG, filter, new PageRequest("", 10));
            assertThat(first.entries()).isEmpty();
            assertThat(first.next()).isEqualTo(String.valueOf(RUNS - Records.RUNS_EXAMINED_MAX + 1));
            RecordPage<RunRecord> second = RECORDS.runs(ORG, filter, new PageRequest(first.next(), 10));
            RecordPage<RunRecord> third = RECORDS.runs(ORG, filter, new PageRequest(second.next(), 10));
            assertThat(third.next()).isEmpty();
        }
    }

    @Test
    void a_rare_match_is_found_on_its_page() {
        var ended = new RunFilter(Set.of(RunState.COMPLETED), null, Map.of());
        assertThat(all(ended, 10)).containsExactly("r0");
    }

    @Test
    void all_runs_are_listed_exactly_once_across_pages() {
        assertThat(all(RunFilter.all(), Records.PAGE_MAX)).hasSize(RUNS).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "\u0661", "+1", "9999999999999999999", "r0", "1 "})
    void a_cursor_that_no_page_has_given_is_refused(String cursor) {
        var page = new PageRequest(cursor, 10);
        assertThatThrownBy(() -> RECORDS.runs(ORG, RunFilter.all(), page)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RECORDS.items(ORG, "r0", "a", page)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RECORDS.refusedStarts(ORG, page)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> all(RunFilter filter, int limit) {
        List<String> runs = new ArrayList<>();
        String cursor = "";
        do {
            RecordPage<RunRecord> page = RECORDS.runs(ORG, filter, new PageRequest(cursor, limit));
            page.entries().forEach(run -> runs.add(run.run()));
            cursor = page.next();
        } while (!cursor.isEmpty());
        return runs;
    }
}
