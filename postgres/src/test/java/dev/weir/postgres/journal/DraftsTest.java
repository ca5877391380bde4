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
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests prepared writes whose rows are made in another order than they were decided, or are made and never written. */
@Tag("S7")
class DraftsTest {
    private static final String GATES = "workflow: gates\nsteps: [{id: a, gate: {}}, {id: b, gate: {}}]";
    private static final String TURNED = "workflow: gates\nsteps: [{id: b, gate: {}}, {id: a, gate: {}}]";

    private static final String FORK =
            "workflow: fork\nsteps: [{id: a, uses: m}, {id: b, uses: n}, {id: c, uses: n, needs: [a]}]";

    private static final long LEASE = 30_000_000;

    private final String org = Server.organisation();

    /** Decides a command and everything that follows from it. */
    private static List<Move> decide(Organisation memory, Command<?> command, long now) {
        List<Move> moves = new ArrayList<>(memory.handle(command, now).moves());
        moves.addAll(memory.advance(now).moves());
        return moves;
    }

    private PostgresPreparedWrites draft(ShardOwnership tenure, List<Move> moves) {
        return (PostgresPreparedWrites) tenure.draft(Map.of(org, moves));
    }

    private static void write(ShardOwnership tenure, PreparedWrites draft) {
        try (Transaction entry = tenure.begin()) {
            entry.write(draft);
            entry.commit();
        }
    }

    private static long now(ShardOwnership tenure) {
        try (Transaction entry = tenure.begin()) {
            return entry.now();
        }
    }

    private static ApproveStep approve(String step) {
        return new ApproveStep("r", step, "ann", null);
    }

    private static long steps(int organisation) throws SQLException {
        try (var connection = Server.access().connect("drafts", Duration.ofSeconds(10));
                var statement = connection.prepareStatement("select count(*) from weir.steps where org = ?")) {
            statement.setInt(1, organisation);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    @Test
    void the_end_of_a_run_that_is_made_before_its_beginning_takes_all_its_rows_with_it() throws Exception {
        Organisation memory;
        Plan plan;
        try (var world = new Worlds(Server.postgres().journal(), org, GATES)) {
            memory = world.memory;
            plan = world.plan;
        }
        var journal = Server.postgres().journal();
        try (var tenure = (PostgresShardOwnership) journal.take(journal.shardOf(org), "drafts")) {
            long now = now(tenure);
            var begun = draft(tenure, decide(memory, StartRun.of("r", plan, Worlds.json("{}")), now));
            assertThat(begun.isMade())
                    .as("made by an owner who does not know the organisation yet")
                    .isFalse();
            int number = tenure.number(org);
            List<Move> moves = decide(memory, approve("a"), now);
            moves.addAll(decide(memory, approve("b"), now));
            var ended = draft(tenure, moves);
            assertThat(ended.isMade()).isTrue();

            write(tenure, begun);
            assertThat(steps(number)).as("each gate has a row of its own").isEqualTo(2);
            write(tenure, ended);
            assertThat(steps(number)).isZero();
            OrganisationRows rows = tenure.load(org);
            assertThat(rows.runs()).isEmpty();
            assertThat(rows.ended()).hasSize(1);
        }
    }

    @Test
    void what_was_made_and_never_written_names_no_step_of_a_run_that_gets_the_same_number() {
        try (var world = new Worlds(Server.postgres().journal(), org, GATES)) {
            long now = now(world.tenure);
            var never = draft(world.tenure, decide(world.memory, start(world.plan), now));
            assertThat(never.isMade()).isTrue();

            world.memory = Organisation.restore(world.tenure.load(org), now);
            int version = world.commit(
                            new RegisterWorkflow(WorkflowReader.read(TURNED).orThrow()))
                    .version();
            Plan turned = world.tenure.plan(org, "gates", version);
            var begun = draft(world.tenure, decide(world.memory, start(turned), now(world.tenure)));
            assertThat(begun.isMade()).isTrue();
            write(world.tenure, begun);
            write(world.tenure, draft(world.tenure, decide(world.memory, approve("b"), now(world.tenure))));

            OrganisationRows rows = world.tenure.load(org);
            assertThat(rows.runs()).hasSize(1).allMatch(run -> run.number() == 1);
            assertThat(rows.steps())
                    .extracting(StepRow::id, StepRow::state)
                    .containsExactlyInAnyOrder(
                            tuple(UnitId.of("r", "a"), StepState.WAITING),
                            tuple(UnitId.of("r", "b"), StepState.COMPLETED));
        }
    }

    @Test
    void steps_that_were_opened_by_a_transaction_of_the_same_instant_stay() {
        try (var world = new Worlds(Server.postgres().journal(), org, FORK)) {
            long now = now(world.tenure);
            write(world.tenure, draft(world.tenure, decide(world.memory, start(world.plan), now)));
            var asked = new ClaimWork("q", "w", List.of(new ClaimWork.Serves("m")), 1, LEASE);
            write(world.tenure, draft(world.tenure, decide(world.memory, asked, now)));
            List<Move> moves = decide(
                    world.memory, new UpdateStep(UnitId.of("r", "a"), 1, new Update.Completed(Worlds.json("1"))), now);
            moves.addAll(decide(world.memory, new PauseRun("r"), now));
            write(world.tenure, draft(world.tenure, moves));

            assertThat(world.tenure.load(org).steps())
                    .extracting(StepRow::id, StepRow::state)
                    .containsExactlyInAnyOrder(
                            tuple(UnitId.of("r", "a"), StepState.COMPLETED),
                            tuple(UnitId.of("r", "b"), StepState.READY),
                            tuple(UnitId.of("r", "c"), StepState.READY));
        }
    }

    private static StartRun start(Plan plan) {
        return StartRun.of("r", plan, Worlds.json("{}"));
    }
}
