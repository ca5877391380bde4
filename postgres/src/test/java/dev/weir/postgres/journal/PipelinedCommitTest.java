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
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
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
class PipelinedCommitTest {
    private final Journal journal = TestPostgres.postgres().journal();
    private final String org = TestPostgres.createOrganisation();

    private PreparedWrites prepareStart(OrganisationHarness harness, String run, long now) {
        List<Move> moves = new ArrayList<>(harness.memory
                .handle(StartRun.of(run, harness.plan, OrganisationHarness.json("{}")), now)
                .moves());
        moves.addAll(harness.memory.advance(now).moves());
        return harness.ownership.prepare(Map.of(org, moves));
    }

    @Test
    void a_commit_writes_the_rows_and_reports_the_clock_of_the_store() {
        try (var harness = new OrganisationHarness(journal, org)) {
            long before = harness.now();
            List<Long> clock = new ArrayList<>();
            harness.ownership.write(prepareStart(harness, "r1", before), before, clock::add);
            harness.ownership.write(prepareStart(harness, "r2", harness.now()), harness.now(), clock::add);
            assertThat(clock).hasSize(2).isSorted().allMatch(now -> now >= before);
            assertThat(harness.ownership.load(org).runs())
                    .extracting(RunRow::id)
                    .containsExactly("r1", "r2");
        }
    }

    @Test
    void a_decision_that_is_too_old_is_refused_and_writes_nothing() {
        try (var harness = new OrganisationHarness(journal, org)) {
            long now = harness.now();
            PreparedWrites writes = prepareStart(harness, "r", now);
            assertThatThrownBy(() -> harness.ownership.write(writes, now - 2 * PreparedWrites.AGE_MAX, clock -> {}))
                    .isInstanceOf(JournalFailure.TooOld.class)
                    .hasMessageContaining("expected a decision of");
            assertThat(harness.ownership.load(org).runs()).isEmpty();
            harness.ownership.write(writes, harness.now(), clock -> {});
            assertThat(harness.ownership.load(org).runs()).hasSize(1);
        }
    }

    @Test
    void a_clock_that_was_set_back_holds_up_nothing() {
        try (var harness = new OrganisationHarness(journal, org)) {
            long later = harness.now() + 1_000 * PreparedWrites.AGE_MAX;
            List<Long> clock = new ArrayList<>();
            harness.ownership.write(prepareStart(harness, "r1", later), later, clock::add);
            harness.ownership.write(prepareStart(harness, "r2", later), later, clock::add);
            assertThat(clock.getLast()).as("time goes on").isGreaterThan(later);
            assertThat(harness.ownership.load(org).runs()).hasSize(2);
        }
    }

    @Test
    void a_former_owner_of_the_shard_writes_nothing() {
        try (var harness = new OrganisationHarness(journal, org)) {
            long now = harness.now();
            PreparedWrites writes = prepareStart(harness, "r", now);
            try (ShardOwnership next = journal.take(journal.shardOf(org), "next")) {
                assertThatThrownBy(() -> harness.ownership.write(writes, now, clock -> {}))
                        .isInstanceOf(JournalFailure.Fenced.class);
                assertThat(next.load(org).runs()).isEmpty();
            }
        }
    }

    @Test
    void a_run_id_in_use_is_reported() {
        try (var harness = new OrganisationHarness(journal, org)) {
            harness.ownership.write(prepareStart(harness, "r", harness.now()), harness.now(), clock -> {});
            try (var again = new OrganisationHarness(journal, org)) {
                List<Move> moves = new Organisation()
                        .handle(StartRun.of("r", again.plan, OrganisationHarness.json("{}")), again.now())
                        .moves();
                assertThatThrownBy(() -> again.ownership.write(
                                again.ownership.prepare(Map.of(org, moves)), again.now(), clock -> {}))
                        .isInstanceOf(JournalFailure.RunIdsInUse.class);
                assertThat(again.ownership.load(org).runs()).hasSize(1);
            }
        }
    }

    /** Returns another organisation of the same shard. */
    private String organisationOfSameShard() {
        String found = TestPostgres.createOrganisation();
        while (journal.shardOf(found) != journal.shardOf(org)) {
            found = TestPostgres.createOrganisation();
        }
        return found;
    }

    @Test
    void the_rest_of_a_batch_with_a_used_run_id_can_be_written_without_it() {
        Plan plan;
        try (var harness = new OrganisationHarness(journal, org)) {
            harness.ownership.write(prepareStart(harness, "r", harness.now()), harness.now(), clock -> {});
            plan = harness.plan;
        }
        String other = organisationOfSameShard();
        try (var otherHarness = new OrganisationHarness(journal, other)) {
            otherHarness.commit(new ClaimWork("q", "w", List.of(new ClaimWork.ServedModule("m")), 1, 30_000_000));
            long now = otherHarness.now();
            List<Move> taken = new Organisation()
                    .handle(StartRun.of("r", plan, OrganisationHarness.json("{}")), now)
                    .moves();
            List<Move> rest = new ArrayList<>(otherHarness
                    .memory
                    .handle(StartRun.of("s", otherHarness.plan, OrganisationHarness.json("{}")), now)
                    .moves());
            rest.addAll(otherHarness.memory.advance(now).moves());
            PreparedWrites all = otherHarness.ownership.prepare(Map.of(org, taken, other, rest));
            assertThatThrownBy(() -> otherHarness.ownership.write(all, now, clock -> {}))
                    .isInstanceOfSatisfying(
                            JournalFailure.RunIdsInUse.class,
                            why -> assertThat(why.org()).isEqualTo(org));
            otherHarness.ownership.write(otherHarness.ownership.prepare(Map.of(other, rest)), now, clock -> {});
            assertThat(otherHarness.ownership.load(org).runs()).hasSize(1);
            assertThat(otherHarness.ownership.load(other).withStarts(List.of())).isEqualTo(otherHarness.memory.rows());
            assertThat(otherHarness.memory.claims())
                    .as("the step is claimed at once")
                    .hasSize(1);
        }
    }

    @Test
    void a_commit_whose_answer_is_lost_is_known_to_the_next_owner() throws Exception {
        for (DisconnectingProxy.DisconnectPoint cut : DisconnectingProxy.DisconnectPoint.values()) {
            String disconnectedOrg = TestPostgres.createOrganisation();
            try (var proxy = new DisconnectingProxy(TestPostgres.port());
                    var pool = new ConnectionPool(TestPostgres.address(), "test", 2, ConnectionPool.WAIT_MAX);
                    var harness = new OrganisationHarness(journal(proxy, pool), disconnectedOrg)) {
                long now = harness.now();
                List<Move> moves = new ArrayList<>(harness.memory
                        .handle(StartRun.of("r", harness.plan, OrganisationHarness.json("{}")), now)
                        .moves());
                PreparedWrites writes = harness.ownership.prepare(Map.of(disconnectedOrg, moves));
                proxy.disconnectAtCommit(cut);
                assertThatThrownBy(() -> harness.ownership.write(writes, now, clock -> {}))
                        .isInstanceOf(JournalFailure.Lost.class);
                try (ShardOwnership next = journal.take(journal.shardOf(disconnectedOrg), "next")) {
                    boolean written = cut == DisconnectingProxy.DisconnectPoint.BEFORE_CLIENT_RECEIVES_ANSWER;
                    assertThat(next.load(disconnectedOrg).runs()).hasSize(written ? 1 : 0);
                }
            }
        }
    }

    private static PostgresJournal journal(DisconnectingProxy proxy, ConnectionPool pool) {
        return new PostgresJournal(
                proxy.address(TestPostgres.address()), pool, new OrganisationDirectory(pool), new PlanCache());
    }
}
