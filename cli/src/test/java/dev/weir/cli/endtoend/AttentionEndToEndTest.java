package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Bulk.BulkView;
import dev.weir.api.DeadLetters.BulkCloseRequest;
import dev.weir.api.DeadLetters.DeadLetterFilter;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Notices.NoticeView;
import dev.weir.api.Runs;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Starts.StartRuns;
import dev.weir.client.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests dead letters and notices over HTTP. The node is killed in between. */
@SuppressWarnings("NullAway.Init") // set before the test
class AttentionEndToEndTest {
    private static final int RUNS = 600;

    private NodeDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new NodeDriver("attention", List.of());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    @Tag("R4.7")
    @Tag("R4.13")
    void notices_are_issued_once_and_dead_letters_are_redriven_across_the_death_of_the_node() throws Exception {
        driver.apply(
                "charge",
                "steps: [{id: a, uses: charge.m, retry: {max_attempts: 1}, flow_control: {key: bank, parallelism: 4}}]");
        List<StartRunRequest> batch = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            batch.add(StartRunRequest.of("charge", "charge-" + i, null));
        }
        driver.client.startAll(new StartRuns(batch.subList(0, RUNS / 2)));
        driver.client.startAll(new StartRuns(batch.subList(RUNS / 2, RUNS)));
        failUntil(RUNS / 2);
        driver.node.kill();
        driver.node.start();
        failUntil(RUNS);
        List<NoticeView> about = driver.client
                .operations()
                .notices(Map.of("subject", "key:bank"))
                .notices();
        assertThat(about).extracting(NoticeView::severity).containsExactlyInAnyOrder("warning", "critical");
        assertThat(driver.runCommand("notices")).contains("key:bank", "critical", "dead_letters");

        assertThat(driver.runCommand("dead-letters", "redrive", "--workflow", "charge", "--dry-run"))
                .contains(RUNS + " dead letters match", "charge-");
        var filter = new DeadLetterFilter(null, null, "charge", "bank", null);
        BulkView begun = driver.client
                .operations()
                .closeDeadLetters("redrive", new BulkCloseRequest(filter, null, "the bank is open again"));
        driver.node.kill();
        driver.node.start();
        driver.await(
                "the end of the operation",
                () -> driver.client.operations().bulk(begun.id()).state().equals("completed"));
        assertThat(driver.client.operations().bulk(begun.id()).failed()).isZero();
        assertThat(driver.client
                        .operations()
                        .deadLetters(Map.of("state", "open"))
                        .deadLetters())
                .isEmpty();
        assertThat(driver.client.run("charge-7.retry-1").origin())
                .extracting(Runs.Origin::retryOf)
                .isEqualTo("charge-7");
        assertThat(countRuns()).as("each run was retried once").isEqualTo(2 * RUNS);
        assertThat(driver.runCommand("dead-letters", "list", "--key", "bank", "--state", "redriven"))
                .contains("charge-", "step_failed");
    }

    @Test
    @Tag("R4.13")
    void events_that_a_trigger_could_not_take_are_redriven_once_across_the_death_of_the_node() throws Exception {
        String trigger = "triggers: [{id: t, event: parcel%s}]\nsteps: [{id: a, uses: parcel.m}]";
        driver.apply("ship", trigger.formatted(", input: {n: '${{ event.data.absent.n }}'}"));
        int lettersBefore = countLetters();
        int runsBefore = countRuns();
        List<SendEventRequest> batch = new ArrayList<>();
        for (int i = 0; i < RUNS / 2; i++) {
            batch.add(SendEventRequest.of("parcel-" + i, "parcel", JsonNodeFactory.instance.objectNode()));
        }
        driver.client.events().sendAll(batch);
        driver.await("a dead letter for each event", () -> countLetters() == lettersBefore + batch.size());
        assertThat(driver.runCommand("dead-letters")).contains("event", "parcel-", "trigger_failed");

        driver.apply("ship", trigger.formatted(""));
        var filter = new DeadLetterFilter("event", null, "ship", null, null);
        BulkView begun =
                driver.client.operations().closeDeadLetters("redrive", new BulkCloseRequest(filter, null, "corrected"));
        driver.node.kill();
        driver.node.start();
        driver.await(
                "the end of the operation",
                () -> driver.client.operations().bulk(begun.id()).state().equals("completed"));
        assertThat(driver.client.operations().bulk(begun.id()).failed()).isZero();
        assertThat(countRuns()).as("each event started one run").isEqualTo(runsBefore + batch.size());
        assertThat(driver.client.run("ship:t:parcel-7").correlationId()).isEqualTo("parcel-7");
        assertThat(driver.client
                        .operations()
                        .deadLetters(Map.of("state", "open", "workflow", "ship"))
                        .deadLetters())
                .isEmpty();
    }

    /** Fails the steps of runs until there are that many dead letters. */
    private void failUntil(int count) throws Exception {
        Worker worker = Worker.of(driver.client)
                .module("charge.m", Map.class, (input, step) -> {
                    throw new IllegalStateException("the bank is closed");
                })
                .concurrency(8)
                .start();
        try {
            driver.await(count + " dead letters", () -> countLetters() >= count);
        } finally {
            worker.close();
        }
    }

    private int countLetters() throws InterruptedException {
        int count = 0;
        String cursor = "";
        while (cursor != null) {
            var page = driver.client
                    .operations()
                    .deadLetters(cursor.isEmpty() ? Map.of("limit", "200") : Map.of("limit", "200", "cursor", cursor));
            count += page.deadLetters().size();
            cursor = page.next();
        }
        return count;
    }

    private int countRuns() throws InterruptedException {
        int count = 0;
        String cursor = "";
        while (cursor != null) {
            var page = driver.client.runs(
                    cursor.isEmpty() ? Map.of("limit", "200") : Map.of("limit", "200", "cursor", cursor));
            count += page.runs().size();
            cursor = page.next();
        }
        return count;
    }
}
