package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Bulk.BulkCancelRequest;
import dev.weir.api.Bulk.BulkFilter;
import dev.weir.api.Bulk.BulkView;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Starts.StartRuns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests operators' limits on runs, and operations on many runs, over HTTP. The node is killed in between. */
@SuppressWarnings("NullAway.Init") // set before the test
class BulkEndToEndTest {
    private static final int RUNS = 2_000;
    private static final int BATCH = 500;

    private NodeDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new NodeDriver("bulk", List.of());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    @Tag("R3.10")
    @Tag("R4.1")
    void limits_and_bulk_operations_survive_the_death_of_the_node() throws Exception {
        driver.apply(
                "order",
                "limits: {max_concurrent_runs: 1}\nsteps: [{id: a, uses: bulk.m,"
                        + " flow_control: {key: 'key-1', parallelism: 5}}]");
        startRuns();
        assertThat(driver.runCommand("limits", "order", "--max-concurrent-runs", "3", "--reason", "catch up"))
                .contains("max_concurrent_runs", "version 1", "catch up");
        awaitRunning(3);
        driver.node.kill();
        driver.node.start();
        RunLimitsView limits = driver.client.operations().workflowLimits("order");
        assertThat(limits.maxConcurrentRuns().effective()).isEqualTo(3);
        assertThat(limits.maxConcurrentRuns().defined()).isEqualTo(1);
        assertThat(limits.maxConcurrentRuns().used()).isEqualTo(3);
        assertThat(limits.version()).isEqualTo(1);

        assertThat(driver.runCommand("bulk", "cancel", "--workflow", "order", "--dry-run"))
                .contains(RUNS + " runs match", "order-");
        assertThat(driver.runCommand("runs", "--key", "key-1", "--limit", "10").lines())
                .as("a heading and the runs that have started")
                .hasSize(4);
        var filter = new BulkFilter(null, "order", null, null, null);
        BulkView begun =
                driver.client.operations().cancelAll(new BulkCancelRequest(filter, null, null, "no longer needed"));
        driver.node.kill();
        driver.node.start();
        driver.await(
                "the end of the operation",
                () -> driver.client.operations().bulk(begun.id()).state().equals("completed"));
        BulkView ended = driver.client.operations().bulk(begun.id());
        assertThat(ended.failed()).as(ended.toString()).isZero();
        assertThat(driver.client
                        .runs(Map.of("workflow", "order", "state", "queued,running"))
                        .runs())
                .as(ended.toString())
                .isEmpty();
        assertThat(driver.client.run("order-7").reason()).isEqualTo("no longer needed");
        assertThat(driver.runCommand("bulk", "status", begun.id())).contains("completed", "0 failed");

        assertThat(driver.runCommand("bulk", "retry", "--run", "order-7", "--state", "cancelled"))
                .contains("1 retried");
        driver.await(
                "the retried run",
                () -> driver.client.run("order-7.retry-1").state().equals("running"));
        assertThat(driver.runCommand("keys", "--sort", "fullest"))
                .contains("key-1", "0 of 5", "1 keys, 0 waiting, 0 in use");
    }

    private void startRuns() throws InterruptedException {
        for (int from = 0; from < RUNS; from += BATCH) {
            List<StartRunRequest> batch = new ArrayList<>();
            for (int i = from; i < from + BATCH; i++) {
                batch.add(StartRunRequest.of("order", "order-" + i, null));
            }
            driver.client.startAll(new StartRuns(batch));
        }
    }

    private void awaitRunning(int count) {
        driver.await(
                count + " running runs",
                () -> driver.client
                                .runs(Map.of("workflow", "order", "state", "running", "limit", "200"))
                                .runs()
                                .size()
                        == count);
    }
}
