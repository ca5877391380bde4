package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.AmendOutput;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Update;
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests claims that are granted when their run starts. They are inside the run's row until they change. */
@Tag("S7")
class ClaimsWithinTest {
    private static final long LEASE = 30_000_000;
    private static final String LACKING =
            "workflow: lacking\nsteps: [{id: a, uses: m}, {id: b, uses: m, needs: [a], requires: [steps.a.x]}]";
    private static final String TWO = "workflow: two\nsteps: [{id: a, uses: m}, {id: b, uses: m, needs: [a]}]";

    private final String org = Server.organisation();
    private final Worlds world = new Worlds(Server.postgres().journal(), org, TWO);

    @AfterEach
    void close() {
        world.close();
    }

    /** Starts a run while a worker waits for work, so that the worker gets its first step at once. */
    private Claim startClaimed(String worker) {
        var serves = List.of(new ClaimWork.Serves("m"));
        world.commit(new ClaimWork("first", worker, serves, 1, LEASE));
        world.commit(StartRun.of("r", world.plan, Worlds.json("{}")));
        return world.memory.claims().getFirst();
    }

    private void report(Claim claim, Update update) {
        world.commit(new UpdateStep(claim.unit(), claim.fence(), update));
    }

    private Claim only() {
        assertThat(world.memory.claims()).hasSize(1);
        return world.memory.claims().getFirst();
    }

    private void expectApart(int rows) throws SQLException {
        ClaimsTold.expectApart(world, rows);
        ClaimsTold.load(world);
    }

    @Test
    void a_first_step_that_is_claimed_and_ends_needs_no_row_of_a_claim() throws SQLException {
        Claim claim = startClaimed("w");
        expectApart(0);
        report(claim, new Update.Completed(Worlds.json("1")));
        expectApart(0);
        List<Assignment> second = world.claim(1);
        expectApart(1);
        world.commit(world.completed(second.getFirst(), "2"));
        expectApart(0);
        assertThat(ClaimsTold.count(world, "runs")).isZero();
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_is_extended_gets_a_row(boolean restarted) throws SQLException {
        Claim claim = startClaimed("w");
        if (restarted) {
            ClaimsTold.restart(world);
        }
        world.commit(new Heartbeat(claim.unit(), claim.fence()));
        assertThat(only().until()).isGreaterThan(claim.until());
        expectApart(1);
        world.commit(new Heartbeat(claim.unit(), claim.fence()));
        expectApart(1);
        report(claim, new Update.Completed(Worlds.json("1")));
        expectApart(0);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_goes_on_while_its_step_needs_input_gets_a_row(boolean restarted) throws SQLException {
        Claim claim = startClaimed("w");
        if (restarted) {
            ClaimsTold.restart(world);
        }
        report(claim, new Update.NeedsInput(Worlds.json("\"colour?\"")));
        expectApart(1);
        world.commit(new ProvideInput(claim.unit(), Worlds.json("\"red\"")));
        expectApart(1);
        world.claim(1);
        assertThat(only().fence()).isGreaterThan(claim.fence());
        expectApart(1);
        report(only(), new Update.Completed(Worlds.json("1")));
        expectApart(0);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_was_given_back_is_over_also_when_its_step_is_claimed_again(boolean restarted)
            throws SQLException {
        Claim claim = startClaimed("w");
        if (restarted) {
            ClaimsTold.restart(world);
        }
        report(claim, new Update.Rescheduled(0));
        expectApart(0);
        List<Assignment> again = world.claim(1);
        assertThat(again.getFirst().claim().unit()).isEqualTo(claim.unit());
        expectApart(1);
        world.commit(world.completed(again.getFirst(), "1"));
        expectApart(0);
    }

    @Test
    void what_is_mended_of_a_step_that_has_ended_brings_no_claim_back() throws SQLException {
        var lacking = new Worlds(Server.postgres().journal(), Server.organisation(), LACKING);
        try (lacking) {
            var serves = List.of(new ClaimWork.Serves("m"));
            lacking.commit(new ClaimWork("first", "w", serves, 1, LEASE));
            lacking.commit(StartRun.of("r", lacking.plan, Worlds.json("{}")));
            Claim claim = lacking.memory.claims().getFirst();
            lacking.commit(new UpdateStep(claim.unit(), claim.fence(), new Update.Completed(Worlds.json("{}"))));
            assertThat(lacking.commit(new AmendOutput("r", "a", Worlds.json("{\"x\": 1}"), "somebody")))
                    .isEqualTo(new AmendOutput.Answer.Amended());
            ClaimsTold.expectApart(lacking, 0);
            ClaimsTold.load(lacking);
        }
    }

    @Test
    void a_worker_may_be_called_anything() throws SQLException {
        startClaimed("w \" \\ \u0001 {}");
        expectApart(0);
    }
}
