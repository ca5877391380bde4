package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.sql.DatabaseAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests what operators see in psql, on the store of {@link FixtureScenario}. */
class OperatorViewsTest {
    private static DatabaseAddress address;

    @BeforeAll
    static void load() throws Exception {
        address = StoreFixture.load("operator_views", 1);
        PostgresDatabase.open(address).close();
    }

    @Test
    void every_view_and_every_column_of_it_has_a_comment() throws Exception {
        assertThat(rows("""
                select relname || coalesce('.' || attname, '')
                from (select oid, relname, null as attname, 0 as attnum from pg_class
                      where relnamespace = 'weir'::regnamespace and relkind = 'v'
                      union all
                      select pg_class.oid, relname, attname, attnum
                      from pg_class join pg_attribute on attrelid = pg_class.oid
                      where relnamespace = 'weir'::regnamespace and relkind = 'v' and attnum > 0) as parts
                where case attnum when 0 then obj_description(oid, 'pg_class') else col_description(oid, attnum) end is null
                """)).isEmpty();
    }

    @Test
    void states_are_the_words_of_the_wire() throws Exception {
        List<String> runs =
                Arrays.stream(RunState.values()).map(OperatorViewsTest::word).toList();
        List<String> steps =
                Arrays.stream(StepState.values()).map(OperatorViewsTest::word).toList();
        for (RunState state : RunState.values()) {
            String letter = StateCodes.letter(state);
            assertThat(rows("select run_state('" + letter + "')")).containsExactly(word(state));
        }
        for (StepState state : StepState.values()) {
            String letter = StateCodes.letter(state);
            if (state != StepState.BLOCKED) {
                assertThat(rows("select step_state('" + letter + "')")).containsExactly(word(state));
            }
        }
        assertThat(rows("select distinct state from live_runs union select state from history_runs"))
                .hasSize(8)
                .isSubsetOf(runs);
        assertThat(rows("select distinct state from live_steps union select state from history_steps"))
                .hasSizeGreaterThan(8)
                .isSubsetOf(steps);
    }

    @Test
    void live_runs_are_listed_with_what_is_known_of_them() throws Exception {
        assertThat(rows("select run_id || ' ' || state from live_runs where state not in ('running', 'waiting')"))
                .containsExactlyInAnyOrder(
                        "paused paused", "stops paused", "single_2 queued", "delayed queued", "undo compensating");
        assertThat(
                        rows(
                                "select run_id || ' ' || ends_as || ' ' || ends_because from live_runs where ends_as is not null"))
                .containsExactlyInAnyOrder(
                        "undo failed step pay failed: no money", "cancelling cancelled no longer needed");
        assertThat(rows("select run_id from live_runs where deadline_at > accepted_at + interval '9 years'"))
                .containsExactly("bounded");
        assertThat(rows("select priority || ' ' || labels from live_runs where run_id = 'labelled'"))
                .containsExactly("7 {\"team\":\"red\"}");
        assertThat(rows("select parent_step_id from live_runs where parent_run_id = 'parent'"))
                .containsExactly("a");
        assertThat(rows("select retry_of_run_id from live_runs where run_id = 'failed_again'"))
                .containsExactly("failed");
        assertThat(rows("""
                select run_id from live_runs
                where not_before between accepted_at + interval '59 s' and accepted_at + interval '61 s'
                """)).containsExactly("delayed");
        assertThat(rows("select organisation || ' ' || workflow_version from live_runs where run_id = 'first_version'"))
                .containsExactlyInAnyOrder("north 1", "south 1");
    }

    @Test
    void live_steps_are_listed_with_what_they_wait_for() throws Exception {
        assertThat(rows("""
                select run_id || '/' || step_id || ' ' || state || ' ' || waits_for || coalesce(' ' || waits_for_name, '')
                from live_steps
                where waits_for <> 'limit_or_worker' and run_id <> 'parent'
                """))
                .containsExactlyInAnyOrder(
                        "asks/a needs_input input",
                        "flaky/a backing_off time",
                        "told/a backing_off time",
                        "sleeps/a waiting time",
                        "signals/a waiting signal go",
                        "gated/a waiting gate",
                        "incomplete/a waiting missing_input expected input.address, found nothing there",
                        "stops/a waiting operator");
        assertThat(rows("""
                select waits_for from live_steps steps
                where run_id = 'parent'
                  and waits_for_name = (select run_id from live_runs where parent_run_id = 'parent')
                """)).containsExactly("child");
        assertThat(rows("select step_id || ' ' || state || ' ' || module from live_steps where run_id = 'undo'"))
                .containsExactly("book.compensate ready m");
        assertThat(rows("select last_error from live_steps where run_id = 'flaky'"))
                .containsExactly("try again");
    }

    @Test
    void items_of_a_fan_out_are_listed_by_their_index() throws Exception {
        assertThat(rows("""
                select coalesce(item_index::text, 'of ' || items) || ' ' || state
                from live_steps where run_id = 'fan' and step_id = 'each' order by item_index nulls first
                """)).containsExactly("of 5 running", "1 running", "2 running", "3 requested", "4 requested");
        assertThat(rows("""
                select item_index || ' ' || state from history_steps where run_id = 'fan' and step_id = 'each'
                """)).containsExactly("0 completed");
    }

    @Test
    void live_claims_are_listed_wherever_they_are_stored() throws Exception {
        assertThat(
                        rows(
                                "select stored_in || ' ' || count(*) from live_claims where run_id ~ 'paged|early' group by stored_in"))
                .containsExactlyInAnyOrder("run 1", "page 8", "row 1");
        assertThat(rows("select distinct worker from live_claims where module not like 'weir.%'"))
                .containsExactly("worker-1");
        assertThat(rows("select run_id || ' ' || array_to_string(keys, ',') from live_claims where keys <> '{}'"))
                .containsExactlyInAnyOrder("narrow_1 narrow", "rated_1 rate-1");
        assertThat(rows("select run_id from live_claims where lease_until = granted_at + interval '1 hour'"))
                .contains("early", "paged_5", "narrow_1");
        assertThat(rows("select run_id from live_steps where 'closed' = any (keys) and worker is null"))
                .containsExactlyInAnyOrder("closed", "calls");
        assertThat(rows("""
                select claims.run_id from live_claims claims
                     join live_steps steps using (organisation, run_id, step_id)
                where claims.item_index is not distinct from steps.item_index
                  and (claims.worker, claims.fence, claims.lease_until)
                      is distinct from (steps.worker, steps.fence, steps.lease_until)
                """)).isEmpty();
    }

    @Test
    void history_is_listed_with_states_and_times() throws Exception {
        assertThat(rows("select run_id || ' ' || state || coalesce(' ' || reason, '') from history_runs"))
                .contains("cancelled cancelled not needed", "paged_1 completed")
                .anyMatch(run -> run.startsWith("failed failed"));
        assertThat(rows("select step_id || ' ' || state || ' ' || no_op from history_steps where run_id = 'completed'"))
                .containsExactlyInAnyOrder("a skipped false", "b completed true");
        assertThat(rows("select step_id || ' ' || state || ' ' || error from history_steps where error is not null"))
                .contains("a failed broken", "pay failed no money");
        assertThat(rows("select run_id from history_steps where granted_at > ended_at or ended_at > now()"))
                .isEmpty();
        assertThat(rows("select module from history_steps where run_id = 'emits'"))
                .containsExactly("weir.emit");
    }

    @Test
    void the_queries_of_the_manual_can_be_run() throws Exception {
        String manual = Files.readString(Path.of("../docs/OPERATING.md"));
        String[] parts = manual.split("```");
        List<String> queries =
                Arrays.stream(parts).filter(part -> part.startsWith("sql\n")).toList();
        assertThat(queries).hasSize(3);
        for (String query : queries) {
            rows(query.substring("sql\n".length()));
        }
    }

    @Test
    void a_text_with_a_character_that_postgres_cannot_show_breaks_no_view() throws Exception {
        assertThat(rows("select stored_json('{\"error\":\"a\\u0000b\\\\u0000\"}') ->> 'error'"))
                .containsExactly("a\ufffdb\\ufffd");
        assertThat(rows("select step_list('{\"steps\":[{\"id\":\"a\",\"with\":\"\\u0000\"}]}') -> 0 ->> 'id'"))
                .containsExactly("a");
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static List<String> rows(String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (var connection = address.connect("views", Duration.ofSeconds(30));
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }
}
