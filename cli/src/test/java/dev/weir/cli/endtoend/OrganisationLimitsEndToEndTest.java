package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Organisations.EvaluateRequest;
import dev.weir.api.Organisations.Evaluation;
import dev.weir.api.Organisations.Snapshot;
import dev.weir.api.Runs.RunView;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests limits, deferral, totals and quota of an organisation on a real node, which is killed in between. */
@SuppressWarnings("NullAway.Init") // set before the test
class OrganisationLimitsEndToEndTest {
    private NodeDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new NodeDriver("limits", List.of());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private String state(String run) throws InterruptedException {
        return driver.client.run(run).state();
    }

    @Test
    @Tag("R4.1")
    @Tag("R4.2")
    @Tag("R4.3")
    @Tag("R4.4")
    @Tag("R4.10")
    @Tag("R4.11")
    void limits_holds_totals_and_quota_of_an_organisation_survive_the_death_of_the_node() throws Exception {
        driver.apply("order", "steps: [{id: a, uses: limits.m}]");
        driver.apply("bill", "steps: [{id: a, uses: limits.m}]");
        assertThat(driver.runCommand("limits", "--max-concurrent-runs", "2", "--reason", "small database"))
                .contains("max_concurrent_runs", "version 1", "small database", "no quota is set");
        assertThat(driver.runCommand("org", "quota", "--limit", "10", "--time-zone", "Europe/Berlin"))
                .contains("10 of 10 are left", "Europe/Berlin");
        for (int i = 0; i < 4; i++) {
            driver.client.start(i % 2 == 0 ? "order" : "bill", "r" + i, null);
        }
        driver.node.kill();
        driver.node.start();

        RunView held = driver.client.run("r2");
        assertThat(held.state()).isEqualTo("queued");
        assertThat(held.rateLimitHoldUntil()).isNotNull();
        assertThat(driver.runCommand("why", "r2")).contains("the limit on runs of the organisation is full (2 of 2)");
        Snapshot snapshot = driver.client.operations().snapshot();
        assertThat(snapshot.concurrentRuns()).isEqualTo(2);
        assertThat(snapshot.held()).isEqualTo(2);
        assertThat(snapshot.started()).isEqualTo(2);
        assertThat(snapshot.deferred()).isEqualTo(2);
        assertThat(driver.client.operations().quota().remaining()).isEqualTo(8);
        Evaluation evaluation =
                driver.client.operations().evaluate(new EvaluateRequest("order", null, null, null, null, null, null));
        assertThat(evaluation.allowed()).isFalse();
        assertThat(evaluation.reason()).contains("the limit on runs of the organisation");

        driver.runCommand("cancel", "r0");
        driver.await("the next run", () -> state("r2").equals("running"));
        driver.runCommand("limits", "--max-concurrent-runs", "none");
        driver.await("the last run", () -> state("r3").equals("running"));
        driver.node.kill();
        driver.node.start();
        snapshot = driver.client.operations().snapshot();
        assertThat(snapshot.started()).isEqualTo(4);
        assertThat(snapshot.deferred()).isEqualTo(2);
        assertThat(snapshot.concurrentRuns()).isEqualTo(3);
        assertThat(driver.runCommand("org", "snapshot")).contains("concurrent_runs", "deferred");
        assertThat(driver.runCommand("orgs", "reader", "default")).contains("weir_reader_", "psql");
        assertThat(driver.runCommand("audit", "--administration")).contains("create_reader", "change_quota");
    }
}
