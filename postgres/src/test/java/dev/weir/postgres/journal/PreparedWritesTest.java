package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests prepared writes whose rows are made in another order than they were decided, or are made and never written. */
@Tag("S7")
class PreparedWritesTest {
    private static final String GATES = "workflow: gates\nsteps: [{id: a, gate: {}}, {id: b, gate: {}}]";
    private static final String TURNED = "workflow: gates\nsteps: [{id: b, gate: {}}, {id: a, gate: {}}]";

    private static final String FORK =
            "workflow: fork\nsteps: [{id: a, uses: m}, {id: b, uses: n}, {id: c, uses: n, needs: [a]}]";

    private static final long LEASE = 30_000_000;

    private final String org = TestPostgres.createOrganisation();

    /** Decides a command and everything that follows from it. */
    private static List<Move> decide(Organisation memory, Command<?> command, long now) {
        List<Move> moves = new ArrayList<>(memory.handle(command, now).moves());
        moves.addAll(memory.advance(now).moves());
        return moves;
    }

    private PostgresPreparedWrites prepare(ShardOwnership ownership, List<Move> moves) {
        return (PostgresPreparedWrites) ownership.prepare(Map.of(org, moves));
    }

    private static void write(ShardOwnership ownership, PreparedWrites writes) {
        try (Transaction transaction = ownership.begin()) {
            transaction.write(writes);
            transaction.commit();
        }
    }

    private static long now(ShardOwnership ownership) {
        try (Transaction transaction = ownership.begin()) {
            return transaction.now();
        }
    }

    private static ApproveStep approve(String step) {
        return new ApproveStep("r", step, "ann", null);
    }

    private static long steps(int organisation) throws SQLException {
        try (var connection = TestPostgres.address().connect("drafts", Duration.ofSeconds(10));
                var statement = connection.prepareStatement("select count(*) from weir.steps where org = ?")) {
            statement.setInt(1, organisation);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    @Test
    void the_end_of_a_run_that_is_prepared_before_its_start_is_written_deletes_all_its_rows() throws Exception {
        Organisation memory;
        Plan plan;
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, GATES)) {
            memory = harness.memory;
            plan = harness.plan;
        }
        var journal = TestPostgres.postgres().journal();
        try (var ownership = (PostgresShardOwnership) journal.take(journal.shardOf(org), "drafts")) {
            long now = now(ownership);
            var begun = prepare(ownership, decide(memory, StartRun.of("r", plan, OrganisationHarness.json("{}")), now));
            assertThat(begun.isPrepared())
                    .as("made by an owner who does not know the organisation yet")
                    .isFalse();
            int number = ownership.number(org);
            List<Move> moves = decide(memory, approve("a"), now);
            moves.addAll(decide(memory, approve("b"), now));
            var ended = prepare(ownership, moves);
            assertThat(ended.isPrepared()).isTrue();

            write(ownership, begun);
            assertThat(steps(number)).as("each gate has a row of its own").isEqualTo(2);
            write(ownership, ended);
            assertThat(steps(number)).isZero();
            OrganisationRows rows = ownership.load(org);
            assertThat(rows.runs()).isEmpty();
            assertThat(rows.endedRuns()).hasSize(1);
        }
    }

    @Test
    void discarded_prepared_writes_do_not_affect_a_later_run_with_the_same_number() {
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, GATES)) {
            long now = now(harness.ownership);
            var never = prepare(harness.ownership, decide(harness.memory, start(harness.plan), now));
            assertThat(never.isPrepared()).isTrue();

            harness.memory = Organisation.restore(harness.ownership.load(org), now);
            int version = harness.commit(
                            new RegisterWorkflow(WorkflowReader.read(TURNED).orThrow()))
                    .version();
            Plan turned = harness.ownership.plan(org, "gates", version);
            var begun = prepare(harness.ownership, decide(harness.memory, start(turned), now(harness.ownership)));
            assertThat(begun.isPrepared()).isTrue();
            write(harness.ownership, begun);
            write(
                    harness.ownership,
                    prepare(harness.ownership, decide(harness.memory, approve("b"), now(harness.ownership))));

            OrganisationRows rows = harness.ownership.load(org);
            assertThat(rows.runs()).hasSize(1).allMatch(run -> run.number() == 1);
            assertThat(rows.steps())
                    .extracting(StepRow::id, StepRow::state)
                    .containsExactlyInAnyOrder(
                            tuple(UnitId.of("r", "a"), StepState.WAITING),
                            tuple(UnitId.of("r", "b"), StepState.COMPLETED));
        }
    }

    @Test
    void steps_opened_by_another_transaction_of_the_same_instant_stay() {
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, FORK)) {
            long now = now(harness.ownership);
            write(harness.ownership, prepare(harness.ownership, decide(harness.memory, start(harness.plan), now)));
            var work = new ClaimWork("q", "w", List.of(new ClaimWork.ServedModule("m")), 1, LEASE);
            write(harness.ownership, prepare(harness.ownership, decide(harness.memory, work, now)));
            List<Move> moves = decide(
                    harness.memory,
                    new UpdateStep(UnitId.of("r", "a"), 1, new Update.Completed(OrganisationHarness.json("1"))),
                    now);
            moves.addAll(decide(harness.memory, new PauseRun("r"), now));
            write(harness.ownership, prepare(harness.ownership, moves));

            assertThat(harness.ownership.load(org).steps())
                    .extracting(StepRow::id, StepRow::state)
                    .containsExactlyInAnyOrder(
                            tuple(UnitId.of("r", "a"), StepState.COMPLETED),
                            tuple(UnitId.of("r", "b"), StepState.READY),
                            tuple(UnitId.of("r", "c"), StepState.READY));
        }
    }

    private static StartRun start(Plan plan) {
        return StartRun.of("r", plan, OrganisationHarness.json("{}"));
    }
}
