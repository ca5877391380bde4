package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.StartRun;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that organisations are loaded beside the ownership, and that quick loads give up on large ones. */
@Tag("L5")
class PartialLoadTest {
    private static final int VERSIONS = 6;

    private final ConnectionPool pool = new ConnectionPool(TestPostgres.address(), "parts", 1, ConnectionPool.WAIT_MAX);
    private final String org = TestPostgres.createOrganisation();
    private final PostgresJournal journal =
            new PostgresJournal(TestPostgres.address(), pool, new OrganisationDirectory(pool), new PlanCache());

    private ShardOwnership take() {
        // Nothing that the harness read is in this journal's cache.
        return journal.take(journal.shardOf(org), "next");
    }

    private OrganisationHarness harness() {
        return new OrganisationHarness(
                new PostgresJournal(TestPostgres.address(), pool, new OrganisationDirectory(pool), new PlanCache()),
                org);
    }

    private void startRunsOfLargeDefinitions() {
        try (var harness = harness()) {
            for (int i = 0; i < VERSIONS; i++) {
                String text = "workflow: large\ndescription: \""
                        + "x".repeat(OrganisationReader.QUICK_DEFINITION_CHARS_MAX / 2 + i)
                        + "\"\nsteps: [{id: a, uses: m}]\n";
                int version = harness.commit(
                                new RegisterWorkflow(WorkflowReader.read(text).orThrow()))
                        .version();
                harness.commit(StartRun.of(
                        "r" + i, harness.ownership.plan(org, "large", version), OrganisationHarness.json("{}")));
            }
        }
    }

    private void startRuns(int runs) {
        try (var harness = harness()) {
            for (int i = 0; i < runs; i++) {
                harness.commit(StartRun.of("r" + i, harness.plan, OrganisationHarness.json("{}")));
            }
        }
    }

    @AfterEach
    void close() {
        journal.close();
        pool.close();
    }

    @Test
    void a_quick_load_gives_up_on_many_definitions_and_a_thorough_one_reads_them() {
        startRunsOfLargeDefinitions();
        try (ShardOwnership ownership = take()) {
            assertThatThrownBy(() -> ownership.loadConcurrently(org, true, LoadAllowance.UNLIMITED))
                    .isInstanceOf(LoadUnfinished.class);
            assertThat(ownership
                            .loadConcurrently(org, false, LoadAllowance.UNLIMITED)
                            .rows()
                            .runs())
                    .hasSize(VERSIONS);
        }
    }

    @Test
    void a_load_runs_beside_an_open_transaction_and_leaves_it_open() {
        startRuns(3);
        try (ShardOwnership ownership = take();
                Transaction transaction = ownership.begin()) {
            var loaded = ownership.loadConcurrently(org, true, LoadAllowance.UNLIMITED);
            assertThat(loaded.rows().runs()).hasSize(3);
            assertThat(loaded.now()).isGreaterThanOrEqualTo(transaction.now());
            transaction.rollback();
            assertThat(loaded.rows()).isEqualTo(ownership.load(org));
        }
    }

    @Test
    void a_load_under_an_earlier_epoch_is_fenced() {
        startRuns(1);
        try (ShardOwnership earlier = take();
                ShardOwnership later = take()) {
            assertThatThrownBy(() -> earlier.loadConcurrently(org, true, LoadAllowance.UNLIMITED))
                    .isInstanceOf(JournalFailure.Fenced.class);
            assertThat(later.loadConcurrently(org, true, LoadAllowance.UNLIMITED)
                            .rows()
                            .runs())
                    .hasSize(1);
        }
    }

    @Test
    void a_load_does_not_block_a_takeover_of_its_shard() throws Exception {
        startRuns(1);
        try (ShardOwnership earlier = take();
                var other = TestPostgres.address().connect("other", Duration.ofSeconds(10))) {
            other.setAutoCommit(false);
            LockedLoad load =
                    LockedLoad.begin(other, () -> earlier.loadConcurrently(org, false, LoadAllowance.UNLIMITED));
            try (ShardOwnership later = take()) {
                assertThat(later.epoch()).isEqualTo(earlier.epoch() + 1);
            }
            load.release();
            assertThat(load.result().rows().runs()).hasSize(1);
        }
    }

    @Test
    void a_load_ends_with_its_ownership() throws Exception {
        startRuns(1);
        try (var other = TestPostgres.address().connect("other", Duration.ofSeconds(10))) {
            other.setAutoCommit(false);
            ShardOwnership ownership = take();
            LockedLoad load =
                    LockedLoad.begin(other, () -> ownership.loadConcurrently(org, false, LoadAllowance.UNLIMITED));
            ownership.close();
            assertThatThrownBy(load::result).hasCauseInstanceOf(JournalFailure.Lost.class);
            load.release();
            assertThatThrownBy(() -> ownership.loadConcurrently(org, false, LoadAllowance.UNLIMITED))
                    .isInstanceOf(JournalFailure.Fenced.class);
        }
    }
}
