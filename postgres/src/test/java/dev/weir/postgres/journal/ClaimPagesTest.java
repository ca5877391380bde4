package dev.weir.postgres.journal;

import static dev.weir.postgres.journal.ClaimRowAssertions.count;
import static dev.weir.postgres.journal.ClaimRowAssertions.expectClaimRows;
import static dev.weir.postgres.journal.ClaimRowAssertions.restart;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Move;
import dev.weir.core.state.Update;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests claims that are granted after their runs were written. They share rows until they change. */
@Tag("S7")
class ClaimPagesTest {
    private static final ClaimPages.Bounds SMALL = new ClaimPages.Bounds(2, 4, 4);
    private static final long LEASE = 30_000_000;

    private final ConnectionPool pool = new ConnectionPool(TestPostgres.address(), "pages", 1, ConnectionPool.WAIT_MAX);
    private final OrganisationHarness harness = newHarness(SMALL);

    private OrganisationHarness newHarness(ClaimPages.Bounds bounds) {
        return new OrganisationHarness(
                new PostgresJournal(
                        TestPostgres.address(), pool, new OrganisationDirectory(pool), new PlanCache(), bounds),
                TestPostgres.createOrganisation());
    }

    @AfterEach
    void close() {
        harness.close();
        pool.close();
    }

    private static void start(OrganisationHarness harness, String prefix, int runs) {
        for (int i = 0; i < runs; i++) {
            harness.commit(StartRun.of(prefix + i, harness.plan, OrganisationHarness.json("{}")));
        }
    }

    /** Starts runs, and then claims their steps in one transaction. */
    private List<Assignment> startAndClaim(String prefix, int runs) {
        start(harness, prefix, runs);
        List<Assignment> claims = harness.claim(runs);
        assertThat(claims).hasSize(runs);
        return claims;
    }

    private void complete(Assignment claim) {
        harness.commit(harness.completion(claim, "1"));
    }

    private void report(Assignment claim, Update update) {
        harness.commit(new UpdateStep(claim.claim().unit(), claim.claim().fence(), update));
    }

    private void heartbeat(Assignment claim) {
        harness.commit(new Heartbeat(claim.claim().unit(), claim.claim().fence()));
    }

    private long pages() throws SQLException {
        return count(harness, "claim_pages");
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_page_stays_as_long_as_one_of_its_claims_lives(boolean restarted) throws SQLException {
        List<Assignment> claims = startAndClaim("r", 6);
        expectClaimRows(harness, 0);
        assertThat(pages()).as("of four each at the most").isEqualTo(2);
        if (restarted) {
            restart(harness);
        }
        for (int i = 5; i > 0; i--) {
            complete(claims.get(i));
            expectClaimRows(harness, 0);
        }
        start(harness, "later", 1);
        assertThat(pages()).isOne();
        complete(claims.getFirst());
        expectClaimRows(harness, 0);
        start(harness, "last", 1);
        assertThat(pages()).isZero();
        assertThat(count(harness, "runs")).isEqualTo(2);
        restart(harness);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_is_extended_gets_a_row(boolean restarted) throws SQLException {
        List<Assignment> claims = startAndClaim("r", 2);
        if (restarted) {
            restart(harness);
        }
        heartbeat(claims.getFirst());
        expectClaimRows(harness, 1);
        heartbeat(claims.getFirst());
        expectClaimRows(harness, 1);
        complete(claims.getFirst());
        expectClaimRows(harness, 0);
        complete(claims.getLast());
        expectClaimRows(harness, 0);
        start(harness, "last", 1);
        assertThat(pages()).isZero();
        restart(harness);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_goes_on_while_its_step_needs_input_gets_a_row(boolean restarted) throws SQLException {
        List<Assignment> claims = startAndClaim("r", 2);
        if (restarted) {
            restart(harness);
        }
        Assignment first = claims.getFirst();
        report(first, new Update.NeedsInput(OrganisationHarness.json("\"colour?\"")));
        expectClaimRows(harness, 1);
        harness.commit(new ProvideInput(first.claim().unit(), OrganisationHarness.json("\"red\"")));
        expectClaimRows(harness, 1);
        List<Assignment> again = harness.claim(1);
        expectClaimRows(harness, 1);
        complete(again.getFirst());
        expectClaimRows(harness, 0);
        restart(harness);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_was_given_back_is_over_also_when_its_step_is_claimed_again(boolean restarted)
            throws SQLException {
        List<Assignment> claims = startAndClaim("r", 2);
        if (restarted) {
            restart(harness);
        }
        report(claims.getFirst(), new Update.Rescheduled(0));
        expectClaimRows(harness, 0);
        List<Assignment> again = harness.claim(1);
        assertThat(again.getFirst().claim().unit())
                .isEqualTo(claims.getFirst().claim().unit());
        expectClaimRows(harness, 1);
        restart(harness);
        complete(again.getFirst());
        expectClaimRows(harness, 0);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void the_last_claims_of_old_pages_move_to_rows_when_pages_are_needed(boolean restarted) throws SQLException {
        var harness = newHarness(new ClaimPages.Bounds(2, 8, 4));
        try (harness) {
            for (int i = 0; i < 4; i++) {
                start(harness, "r" + i + "-", 8);
                List<Assignment> claims = harness.claim(8);
                if (restarted) {
                    restart(harness);
                }
                claims.stream().skip(1).forEach(claim -> harness.commit(harness.completion(claim, "1")));
                expectClaimRows(harness, Math.max(0, i - 1));
            }
            restart(harness);
            var last = harness.memory.claims();
            assertThat(last).hasSize(4);
            last.forEach(claim -> harness.commit(
                    new UpdateStep(claim.unit(), claim.fence(), new Update.Completed(OrganisationHarness.json("1")))));
            expectClaimRows(harness, 0);
            start(harness, "last", 1);
            assertThat(count(harness, "claim_pages")).isZero();
        }
    }

    @Test
    void claims_get_single_rows_if_they_are_few_or_no_page_is_free() throws SQLException {
        startAndClaim("one", 1);
        expectClaimRows(harness, 1);
        startAndClaim("many", 20);
        expectClaimRows(harness, 5);
        assertThat(pages()).isEqualTo(4);
        startAndClaim("more", 3);
        expectClaimRows(harness, 8);
        restart(harness);
    }

    /** Memory outlives the connection, so the places of its claims must too. */
    @Test
    void claims_are_found_in_their_pages_after_a_lost_connection() throws SQLException {
        List<Assignment> claims = startAndClaim("r", 3);
        harness.retake();
        heartbeat(claims.getFirst());
        expectClaimRows(harness, 1);
        report(claims.get(1), new Update.NeedsInput(OrganisationHarness.json("\"colour?\"")));
        expectClaimRows(harness, 2);
        startAndClaim("more", 2);
        expectClaimRows(harness, 2);
        complete(claims.get(2));
        start(harness, "last", 1);
        assertThat(pages()).isOne();
        expectClaimRows(harness, 2);
        restart(harness);
    }

    @Test
    void a_worker_may_be_called_anything() throws SQLException {
        start(harness, "r", 2);
        var serves = List.of(new ClaimWork.ServedModule("m"));
        harness.commit(new ClaimWork("q", "w \" \\ \u0001 {}", serves, 2, LEASE));
        assertThat(harness.memory.claims()).hasSize(2);
        expectClaimRows(harness, 0);
        assertThat(pages()).isOne();
        restart(harness);
    }

    /** The rows of two transactions are made ahead, and those of the first have to be made again. */
    @Test
    void claims_of_writes_that_are_prepared_again_are_found_in_their_new_page() throws SQLException {
        start(harness, "r", 2);
        List<Move> granting = decide(harness, work("q", 2));
        var claim = harness.memory.claims().getFirst();
        prepare(harness, granting);
        PreparedWrites extending = prepare(harness, decide(harness, new Heartbeat(claim.unit(), claim.fence())));
        write(harness, prepare(harness, granting));
        write(harness, extending);
        expectClaimRows(harness, 1);
        restart(harness);
    }

    @Test
    void a_claim_extended_with_its_grant_stays_in_its_page_if_writes_are_prepared_again() throws SQLException {
        start(harness, "r", 2);
        List<Move> moves = new ArrayList<>(decide(harness, work("q", 2)));
        var claims = harness.memory.claims();
        var first = claims.getFirst();
        moves.addAll(decide(harness, new Heartbeat(first.unit(), first.fence())));
        prepare(harness, moves);
        write(harness, prepare(harness, moves));
        expectClaimRows(harness, 0);
        var second = claims.getLast();
        harness.commit(
                new UpdateStep(second.unit(), second.fence(), new Update.Completed(OrganisationHarness.json("1"))));
        start(harness, "last", 1);
        expectClaimRows(harness, 0);
        assertThat(pages()).isOne();
        restart(harness);
    }

    /** Rows that are made ahead clear a page, while earlier rows release a claim in it. */
    @Test
    void a_claim_that_ends_before_its_page_is_cleared_gets_no_row() throws SQLException {
        var harness = newHarness(new ClaimPages.Bounds(2, 8, 2));
        try (harness) {
            start(harness, "r", 8);
            List<Assignment> first = harness.claim(8);
            first.stream().skip(1).forEach(claim -> harness.commit(harness.completion(claim, "1")));
            start(harness, "s", 8);
            PreparedWrites granting = prepare(harness, decide(harness, work("q", 8)));
            PreparedWrites ending = prepare(harness, decide(harness, harness.completion(first.getFirst(), "1")));
            write(harness, granting);
            PreparedWrites clearing = prepare(
                    harness, decide(harness, StartRun.of("last", harness.plan, OrganisationHarness.json("{}"))));
            write(harness, ending);
            write(harness, clearing);
            assertThat(harness.memory.claims()).hasSize(8);
            expectClaimRows(harness, 0);
            assertThat(count(harness, "claim_pages")).isEqualTo(2);
            harness.commit(StartRun.of("later", harness.plan, OrganisationHarness.json("{}")));
            assertThat(count(harness, "claim_pages")).isOne();
            restart(harness);
        }
    }

    private static ClaimWork work(String request, int most) {
        return new ClaimWork(request, "w", List.of(new ClaimWork.ServedModule("m")), most, LEASE);
    }

    private static List<Move> decide(OrganisationHarness harness, Command<?> command) {
        long now = harness.now();
        return Stream.concat(
                        harness.memory.handle(command, now).moves().stream(),
                        harness.memory.advance(now).moves().stream())
                .toList();
    }

    private static PreparedWrites prepare(OrganisationHarness harness, List<Move> moves) {
        return harness.ownership.prepare(Map.of(harness.org, moves));
    }

    private static void write(OrganisationHarness harness, PreparedWrites writes) {
        harness.ownership.write(writes, Long.MAX_VALUE, at -> {});
    }
}
