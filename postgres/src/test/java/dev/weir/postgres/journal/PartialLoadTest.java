package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.StartRun;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that an organisation with runs of many workflow versions is loaded in parts. */
@Tag("L8")
class PartialLoadTest {
    private static final int VERSIONS = 6;

    private final ConnectionPool pool = new ConnectionPool(TestPostgres.address(), "parts", 1, ConnectionPool.WAIT_MAX);
    private final String org = TestPostgres.createOrganisation();

    private PostgresJournal journal() {
        return new PostgresJournal(TestPostgres.address(), pool, new OrganisationDirectory(pool), new PlanCache());
    }

    @BeforeEach
    void start() {
        try (var harness = new OrganisationHarness(journal(), org)) {
            for (int i = 0; i < VERSIONS; i++) {
                String text = "workflow: large\ndescription: \"" + "x".repeat(DefinitionReads.CHARS_MAX / 2 + i)
                        + "\"\nsteps: [{id: a, uses: m}]\n";
                int version = harness.commit(
                                new RegisterWorkflow(WorkflowReader.read(text).orThrow()))
                        .version();
                harness.commit(StartRun.of(
                        "r" + i, harness.ownership.plan(org, "large", version), OrganisationHarness.json("{}")));
            }
        }
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private static void nextPass(ShardOwnership ownership) {
        try (Transaction transaction = ownership.begin()) {
            assertThat(transaction.now()).isPositive();
        }
    }

    @Test
    void each_pass_reads_some_definitions_and_the_last_one_loads_the_organisation() {
        var journal = journal();
        try (ShardOwnership ownership = journal.take(journal.shardOf(org), "next")) {
            for (int definitions = 2; definitions < VERSIONS; definitions += 2) {
                assertThatThrownBy(() -> ownership.load(org)).isInstanceOf(LoadUnfinished.class);
                nextPass(ownership);
            }
            assertThat(ownership.load(org).runs()).hasSize(VERSIONS);
        }
    }

    @Test
    void a_load_within_a_transaction_reads_all_definitions() {
        var journal = journal();
        try (ShardOwnership ownership = journal.take(journal.shardOf(org), "next");
                Transaction transaction = ownership.begin()) {
            assertThat(transaction.now()).isPositive();
            assertThat(ownership.load(org).runs()).hasSize(VERSIONS);
        }
    }
}
