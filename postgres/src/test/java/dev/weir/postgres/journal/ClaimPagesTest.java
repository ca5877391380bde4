package dev.weir.postgres.journal;

import static dev.weir.postgres.journal.ClaimsTold.count;
import static dev.weir.postgres.journal.ClaimsTold.expectApart;
import static dev.weir.postgres.journal.ClaimsTold.restart;
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
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
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

    private final ConnectionPool pool = new ConnectionPool(Server.access(), "sheets", 1, ConnectionPool.WAIT_MAX);
    private final Worlds world = world(SMALL);

    private Worlds world(ClaimPages.Bounds bounds) {
        return new Worlds(
                new PostgresJournal(Server.access(), pool, new OrganisationDirectory(pool), new PlanCache(), bounds),
                Server.organisation());
    }

    @AfterEach
    void close() {
        world.close();
        pool.close();
    }

    private static void start(Worlds world, String prefix, int runs) {
        for (int i = 0; i < runs; i++) {
            world.commit(StartRun.of(prefix + i, world.plan, Worlds.json("{}")));
        }
    }

    /** Starts runs, and then claims their steps in one transaction. */
    private List<Assignment> claimed(String prefix, int runs) {
        start(world, prefix, runs);
        List<Assignment> claims = world.claim(runs);
        assertThat(claims).hasSize(runs);
        return claims;
    }

    private void complete(Assignment claim) {
        world.commit(world.completed(claim, "1"));
    }

    private void report(Assignment claim, Update update) {
        world.commit(new UpdateStep(claim.claim().unit(), claim.claim().fence(), update));
    }

    private void heartbeat(Assignment claim) {
        world.commit(new Heartbeat(claim.claim().unit(), claim.claim().fence()));
    }

    private long sheets() throws SQLException {
        return count(world, "claim_sheets");
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_sheet_stays_as_long_as_one_of_its_claims_lives(boolean restarted) throws SQLException {
        List<Assignment> claims = claimed("r", 6);
        expectApart(world, 0);
        assertThat(sheets()).as("of four each at the most").isEqualTo(2);
        if (restarted) {
            restart(world);
        }
        for (int i = 5; i > 0; i--) {
            complete(claims.get(i));
            expectApart(world, 0);
        }
        start(world, "later", 1);
        assertThat(sheets()).isOne();
        complete(claims.getFirst());
        expectApart(world, 0);
        start(world, "last", 1);
        assertThat(sheets()).isZero();
        assertThat(count(world, "runs")).isEqualTo(2);
        restart(world);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_is_extended_gets_a_row(boolean restarted) throws SQLException {
        List<Assignment> claims = claimed("r", 2);
        if (restarted) {
            restart(world);
        }
        heartbeat(claims.getFirst());
        expectApart(world, 1);
        heartbeat(claims.getFirst());
        expectApart(world, 1);
        complete(claims.getFirst());
        expectApart(world, 0);
        complete(claims.getLast());
        expectApart(world, 0);
        start(world, "last", 1);
        assertThat(sheets()).isZero();
        restart(world);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_goes_on_while_its_step_needs_input_gets_a_row(boolean restarted) throws SQLException {
        List<Assignment> claims = claimed("r", 2);
        if (restarted) {
            restart(world);
        }
        Assignment first = claims.getFirst();
        report(first, new Update.NeedsInput(Worlds.json("\"colour?\"")));
        expectApart(world, 1);
        world.commit(new ProvideInput(first.claim().unit(), Worlds.json("\"red\"")));
        expectApart(world, 1);
        List<Assignment> again = world.claim(1);
        expectApart(world, 1);
        complete(again.getFirst());
        expectApart(world, 0);
        restart(world);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_was_given_back_is_over_also_when_its_step_is_claimed_again(boolean restarted)
            throws SQLException {
        List<Assignment> claims = claimed("r", 2);
        if (restarted) {
            restart(world);
        }
        report(claims.getFirst(), new Update.Rescheduled(0));
        expectApart(world, 0);
        List<Assignment> again = world.claim(1);
        assertThat(again.getFirst().claim().unit())
                .isEqualTo(claims.getFirst().claim().unit());
        expectApart(world, 1);
        restart(world);
        complete(again.getFirst());
        expectApart(world, 0);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void claims_that_keep_whole_sheets_get_rows_where_room_is_wanted(boolean restarted) throws SQLException {
        var world = world(new ClaimPages.Bounds(2, 8, 4));
        try (world) {
            for (int i = 0; i < 4; i++) {
                start(world, "r" + i + "-", 8);
                List<Assignment> claims = world.claim(8);
                if (restarted) {
                    restart(world);
                }
                claims.stream().skip(1).forEach(claim -> world.commit(world.completed(claim, "1")));
                expectApart(world, Math.max(0, i - 1));
            }
            restart(world);
            var last = world.memory.claims();
            assertThat(last).hasSize(4);
            last.forEach(claim ->
                    world.commit(new UpdateStep(claim.unit(), claim.fence(), new Update.Completed(Worlds.json("1")))));
            expectApart(world, 0);
            start(world, "last", 1);
            assertThat(count(world, "claim_sheets")).isZero();
        }
    }

    @Test
    void without_room_or_with_few_claims_each_gets_a_row() throws SQLException {
        claimed("one", 1);
        expectApart(world, 1);
        claimed("many", 20);
        expectApart(world, 5);
        assertThat(sheets()).isEqualTo(4);
        claimed("more", 3);
        expectApart(world, 8);
        restart(world);
    }

    /** Memory outlives the connection, so the places of its claims must too. */
    @Test
    void after_a_lost_connection_claims_are_found_where_they_were() throws SQLException {
        List<Assignment> claims = claimed("r", 3);
        world.retake();
        heartbeat(claims.getFirst());
        expectApart(world, 1);
        report(claims.get(1), new Update.NeedsInput(Worlds.json("\"colour?\"")));
        expectApart(world, 2);
        claimed("more", 2);
        expectApart(world, 2);
        complete(claims.get(2));
        start(world, "last", 1);
        assertThat(sheets()).isOne();
        expectApart(world, 2);
        restart(world);
    }

    @Test
    void a_worker_may_be_called_anything() throws SQLException {
        start(world, "r", 2);
        var serves = List.of(new ClaimWork.Serves("m"));
        world.commit(new ClaimWork("q", "w \" \\ \u0001 {}", serves, 2, LEASE));
        assertThat(world.memory.claims()).hasSize(2);
        expectApart(world, 0);
        assertThat(sheets()).isOne();
        restart(world);
    }

    /** The rows of two transactions are made ahead, and those of the first have to be made again. */
    @Test
    void rows_that_are_made_again_lie_elsewhere_and_are_found_there() throws SQLException {
        start(world, "r", 2);
        List<Move> granting = decided(world, work("q", 2));
        var claim = world.memory.claims().getFirst();
        draft(world, granting);
        PreparedWrites extending = draft(world, decided(world, new Heartbeat(claim.unit(), claim.fence())));
        write(world, draft(world, granting));
        write(world, extending);
        expectApart(world, 1);
        restart(world);
    }

    @Test
    void a_claim_that_is_extended_as_it_is_granted_is_in_its_sheet_also_if_rows_are_made_again() throws SQLException {
        start(world, "r", 2);
        List<Move> moves = new ArrayList<>(decided(world, work("q", 2)));
        var claims = world.memory.claims();
        var first = claims.getFirst();
        moves.addAll(decided(world, new Heartbeat(first.unit(), first.fence())));
        draft(world, moves);
        write(world, draft(world, moves));
        expectApart(world, 0);
        var second = claims.getLast();
        world.commit(new UpdateStep(second.unit(), second.fence(), new Update.Completed(Worlds.json("1"))));
        start(world, "last", 1);
        expectApart(world, 0);
        assertThat(sheets()).isOne();
        restart(world);
    }

    /** Rows that are made ahead clear a page, while earlier rows release a claim in it. */
    @Test
    void a_claim_that_is_given_back_meanwhile_gets_no_row() throws SQLException {
        var world = world(new ClaimPages.Bounds(2, 8, 2));
        try (world) {
            start(world, "r", 8);
            List<Assignment> first = world.claim(8);
            first.stream().skip(1).forEach(claim -> world.commit(world.completed(claim, "1")));
            start(world, "s", 8);
            PreparedWrites granting = draft(world, decided(world, work("q", 8)));
            PreparedWrites ending = draft(world, decided(world, world.completed(first.getFirst(), "1")));
            write(world, granting);
            PreparedWrites clearing = draft(world, decided(world, StartRun.of("last", world.plan, Worlds.json("{}"))));
            write(world, ending);
            write(world, clearing);
            assertThat(world.memory.claims()).hasSize(8);
            expectApart(world, 0);
            assertThat(count(world, "claim_sheets")).isEqualTo(2);
            world.commit(StartRun.of("later", world.plan, Worlds.json("{}")));
            assertThat(count(world, "claim_sheets")).isOne();
            restart(world);
        }
    }

    private static ClaimWork work(String request, int most) {
        return new ClaimWork(request, "w", List.of(new ClaimWork.Serves("m")), most, LEASE);
    }

    private static List<Move> decided(Worlds world, Command<?> command) {
        long now = world.now();
        return Stream.concat(
                        world.memory.handle(command, now).moves().stream(), world.memory.advance(now).moves().stream())
                .toList();
    }

    private static PreparedWrites draft(Worlds world, List<Move> moves) {
        return world.tenure.draft(Map.of(world.org, moves));
    }

    private static void write(Worlds world, PreparedWrites draft) {
        world.tenure.write(draft, Long.MAX_VALUE, at -> {});
    }
}
