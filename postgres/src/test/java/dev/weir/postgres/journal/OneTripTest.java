package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.StartRun;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that decisions from memory are fenced, written and committed at once, or not at all. */
@Timeout(120)
@Tag("S7")
class OneTripTest {
    private final Journal journal = Server.postgres().journal();
    private final String org = Server.organisation();

    private PreparedWrites start(Worlds world, String run, long now) {
        List<Move> moves = new ArrayList<>(world.memory
                .handle(StartRun.of(run, world.plan, Worlds.json("{}")), now)
                .moves());
        moves.addAll(world.memory.advance(now).moves());
        return world.tenure.draft(Map.of(org, moves));
    }

    @Test
    void it_is_written_and_the_clock_of_the_store_is_told() {
        try (var world = new Worlds(journal, org)) {
            long before = world.now();
            List<Long> clock = new ArrayList<>();
            world.tenure.write(start(world, "r1", before), before, clock::add);
            world.tenure.write(start(world, "r2", world.now()), world.now(), clock::add);
            assertThat(clock).hasSize(2).isSorted().allMatch(now -> now >= before);
            assertThat(world.tenure.load(org).runs()).extracting(RunRow::id).containsExactly("r1", "r2");
        }
    }

    @Test
    void a_decision_that_is_old_is_told_and_nothing_of_it_is_written() {
        try (var world = new Worlds(journal, org)) {
            long now = world.now();
            PreparedWrites draft = start(world, "r", now);
            assertThatThrownBy(() -> world.tenure.write(draft, now - 2 * PreparedWrites.AGE_MAX, clock -> {}))
                    .isInstanceOf(JournalFailure.Late.class)
                    .hasMessageContaining("expected a decision of");
            assertThat(world.tenure.load(org).runs()).isEmpty();
            world.tenure.write(draft, world.now(), clock -> {});
            assertThat(world.tenure.load(org).runs()).hasSize(1);
        }
    }

    @Test
    void a_clock_that_was_set_back_holds_up_nothing() {
        try (var world = new Worlds(journal, org)) {
            long later = world.now() + 1_000 * PreparedWrites.AGE_MAX;
            List<Long> clock = new ArrayList<>();
            world.tenure.write(start(world, "r1", later), later, clock::add);
            world.tenure.write(start(world, "r2", later), later, clock::add);
            assertThat(clock.getLast()).as("time goes on").isGreaterThan(later);
            assertThat(world.tenure.load(org).runs()).hasSize(2);
        }
    }

    @Test
    void whoever_owns_the_shard_no_more_writes_nothing() {
        try (var world = new Worlds(journal, org)) {
            long now = world.now();
            PreparedWrites draft = start(world, "r", now);
            try (ShardOwnership next = journal.take(journal.shardOf(org), "next")) {
                assertThatThrownBy(() -> world.tenure.write(draft, now, clock -> {}))
                        .isInstanceOf(JournalFailure.Fenced.class);
                assertThat(next.load(org).runs()).isEmpty();
            }
        }
    }

    @Test
    void an_id_that_is_taken_is_told() {
        try (var world = new Worlds(journal, org)) {
            world.tenure.write(start(world, "r", world.now()), world.now(), clock -> {});
            try (var again = new Worlds(journal, org)) {
                List<Move> moves = new Organisation()
                        .handle(StartRun.of("r", again.plan, Worlds.json("{}")), again.now())
                        .moves();
                assertThatThrownBy(() ->
                                again.tenure.write(again.tenure.draft(Map.of(org, moves)), again.now(), clock -> {}))
                        .isInstanceOf(JournalFailure.RunsTaken.class);
                assertThat(again.tenure.load(org).runs()).hasSize(1);
            }
        }
    }

    /** Returns another organisation of the same shard. */
    private String neighbour() {
        String found = Server.organisation();
        while (journal.shardOf(found) != journal.shardOf(org)) {
            found = Server.organisation();
        }
        return found;
    }

    @Test
    void what_goes_with_an_id_that_is_taken_is_written_again_without_it() {
        Plan plan;
        try (var world = new Worlds(journal, org)) {
            world.tenure.write(start(world, "r", world.now()), world.now(), clock -> {});
            plan = world.plan;
        }
        String other = neighbour();
        try (var beside = new Worlds(journal, other)) {
            beside.commit(new ClaimWork("q", "w", List.of(new ClaimWork.Serves("m")), 1, 30_000_000));
            long now = beside.now();
            List<Move> taken = new Organisation()
                    .handle(StartRun.of("r", plan, Worlds.json("{}")), now)
                    .moves();
            List<Move> rest = new ArrayList<>(beside.memory
                    .handle(StartRun.of("s", beside.plan, Worlds.json("{}")), now)
                    .moves());
            rest.addAll(beside.memory.advance(now).moves());
            PreparedWrites all = beside.tenure.draft(Map.of(org, taken, other, rest));
            assertThatThrownBy(() -> beside.tenure.write(all, now, clock -> {}))
                    .isInstanceOfSatisfying(
                            JournalFailure.RunsTaken.class,
                            why -> assertThat(why.org()).isEqualTo(org));
            beside.tenure.write(beside.tenure.draft(Map.of(other, rest)), now, clock -> {});
            assertThat(beside.tenure.load(org).runs()).hasSize(1);
            assertThat(beside.tenure.load(other).withStarts(List.of())).isEqualTo(beside.memory.rows());
            assertThat(beside.memory.claims()).as("the step is claimed at once").hasSize(1);
        }
    }

    @Test
    void a_commit_whose_answer_is_lost_is_known_to_the_next_tenure() throws Exception {
        for (CuttingProxy.Cut cut : CuttingProxy.Cut.values()) {
            String cutOff = Server.organisation();
            try (var proxy = new CuttingProxy(Server.port());
                    var pool = new ConnectionPool(Server.access(), "test", 2, ConnectionPool.WAIT_MAX);
                    var world = new Worlds(journal(proxy, pool), cutOff)) {
                long now = world.now();
                List<Move> moves = new ArrayList<>(world.memory
                        .handle(StartRun.of("r", world.plan, Worlds.json("{}")), now)
                        .moves());
                PreparedWrites draft = world.tenure.draft(Map.of(cutOff, moves));
                proxy.cutAtCommit(cut);
                assertThatThrownBy(() -> world.tenure.write(draft, now, clock -> {}))
                        .isInstanceOf(JournalFailure.Lost.class);
                try (ShardOwnership next = journal.take(journal.shardOf(cutOff), "next")) {
                    boolean written = cut == CuttingProxy.Cut.AFTER_THE_SERVER_HAS_ANSWERED;
                    assertThat(next.load(cutOff).runs()).hasSize(written ? 1 : 0);
                }
            }
        }
    }

    private static PostgresJournal journal(CuttingProxy proxy, ConnectionPool pool) {
        return new PostgresJournal(
                proxy.access(Server.access()), pool, new OrganisationDirectory(pool), new PlanCache());
    }
}
