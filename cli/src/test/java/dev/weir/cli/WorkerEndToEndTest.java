package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Client;
import dev.weir.client.Handler;
import dev.weir.client.Job;
import dev.weir.client.Worker;
import dev.weir.client.WorkerBuilder;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a worker whose server is away, silent, or asks it to stop. */
@SuppressWarnings("NullAway.Init") // set before the first test
class WorkerEndToEndTest {
    private static RunningNode node;
    private static FaultyProxy proxy;

    @BeforeAll
    static void open() throws Exception {
        node = RunningNode.shared();
        proxy = new FaultyProxy(URI.create(node.node.url()).getPort());
    }

    @AfterAll
    static void close() throws IOException {
        proxy.close();
    }

    @Test
    void a_worker_goes_on_after_the_server_was_away_and_does_every_step_once() throws Exception {
        workflow("away");
        var done = new AtomicInteger();
        var halfway = new CountDownLatch(1);
        try (var worker =
                worker(proxiedClient(), "away", job -> once(done, halfway)).start()) {
            node.client.start(StartRunRequest.of("away", "away-1", null));
            assertThat(halfway.await(20, TimeUnit.SECONDS)).isTrue();
            proxy.cut();
            node.client.start(StartRunRequest.of("away", "away-2", null));
            proxy.repair();
            node.awaitEnd("away-1");
            node.awaitEnd("away-2");
            assertThat(worker).isNotNull();
        }
        assertThat(done).hasValue(2);
    }

    private static @Nullable Object once(AtomicInteger done, CountDownLatch halfway) {
        done.incrementAndGet();
        halfway.countDown();
        return null;
    }

    @Test
    void a_body_whose_claim_cannot_be_renewed_is_interrupted_after_four_fifths_of_the_lease() throws Exception {
        workflow("silent");
        var interruptedAfter = new AtomicReference<Duration>();
        var started = new CountDownLatch(1);
        try (var worker = worker(proxiedClient(), "silent", job -> hold(job, started, interruptedAfter))
                .start()) {
            node.client.start(StartRunRequest.of("silent", "silent-1", null));
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
            proxy.silence();
            await().atMost(Duration.ofSeconds(20)).until(() -> interruptedAfter.get() != null);
            // The lease is 6 s and renewed at most once. It counts from before the claim request.
            assertThat(interruptedAfter.get()).isBetween(Duration.ofMillis(2_000), Duration.ofMillis(7_500));
            assertThat(node.client.run("silent-1").steps().get(0).outcome())
                    .as("a lost claim is not reported")
                    .isNull();
            proxy.repair();
            assertThat(worker).isNotNull();
        } finally {
            node.client.cancel("silent-1", new CancelRequest("cancel_running", null));
        }
    }

    @Test
    @Tag("L1")
    void work_that_comes_late_in_a_poll_is_done_and_reported() throws Exception {
        workflow("late");
        var handler = new RecordingHandler(Duration.ofMillis(500));
        try (var worker = worker(node.client, "late", handler)
                .lease(Duration.ofSeconds(5))
                .start()) {
            await().during(Duration.ofMillis(4_300))
                    .until(() -> handler.attempts().isEmpty());
            node.client.start(StartRunRequest.of("late", "late-1", null));
            assertThat(node.awaitEnd("late-1").steps().get(0).fence()).isEqualTo(1);
            worker.awaitReports(1);
        }
        assertThat(handler.attempts()).hasSize(1);
    }

    @Test
    @Tag("S8")
    void a_claim_whose_answer_took_most_of_its_lease_is_renewed_before_its_body_begins() throws Exception {
        workflow("slow");
        var handler = new RecordingHandler(Duration.ofMillis(500));
        try (var worker = worker(proxiedClient(), "slow", handler)
                .lease(Duration.ofSeconds(10))
                .start()) {
            proxy.holdResponses();
            node.client.start(StartRunRequest.of("slow", "slow-1", null));
            await().until(() -> !node.client.run("slow-1").runningSteps().isEmpty());
            await().during(Duration.ofMillis(8_200))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> handler.attempts().isEmpty());
            proxy.repair();
            assertThat(node.awaitEnd("slow-1").steps().get(0).fence()).isEqualTo(1);
            worker.awaitReports(1);
        } finally {
            proxy.repair();
        }
        assertThat(handler.attempts()).hasSize(1);
    }

    @Test
    @Tag("S8")
    void a_worker_that_is_closed_beyond_its_grace_reports_no_failure() throws Exception {
        workflow("abandoned");
        var started = new CountDownLatch(1);
        var worker = worker(node.client, "abandoned", job -> endless(started))
                .lease(Duration.ofSeconds(30))
                .grace(Duration.ofMillis(100))
                .start();
        try {
            node.client.start(StartRunRequest.of("abandoned", "abandoned-1", null));
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
            worker.close();
            var step = node.client.run("abandoned-1").steps().get(0);
            assertThat(step.state()).as("it is left to expire").isEqualTo("running");
            assertThat(step.error()).isNull();
        } finally {
            node.client.cancel("abandoned-1", new CancelRequest("cancel_running", null));
        }
    }

    private static @Nullable Object endless(CountDownLatch started) throws InterruptedException {
        started.countDown();
        new CountDownLatch(1).await();
        return null;
    }

    /** Waits for an interrupt, and records how long that took and that the claim counts as lost. */
    private static @Nullable Object hold(Job job, CountDownLatch started, AtomicReference<Duration> after) {
        long start = System.nanoTime();
        started.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            if (job.isLost() || job.cancelRequested()) {
                after.set(Duration.ofNanos(System.nanoTime() - start));
            }
        }
        return null;
    }

    @Test
    @Tag("R1.9")
    void a_cancel_reaches_the_body_with_the_next_heartbeat() throws Exception {
        workflow("cancelled");
        var interruptedAfter = new AtomicReference<Duration>();
        var started = new CountDownLatch(1);
        try (var worker = worker(node.client, "cancelled", job -> hold(job, started, interruptedAfter))
                .start()) {
            node.client.start(StartRunRequest.of("cancelled", "cancelled-1", null));
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
            node.client.cancel("cancelled-1", new CancelRequest("cancel_running", "enough"));
            assertThat(node.awaitEnd("cancelled-1").state()).isEqualTo("cancelled");
            assertThat(interruptedAfter.get()).isLessThan(Duration.ofSeconds(6));
            assertThat(worker).isNotNull();
        }
    }

    @Test
    @Tag("L3")
    void a_worker_that_is_closed_finishes_what_it_has_and_leaves_no_claim_behind() throws Exception {
        workflow("graceful");
        var handler = new RecordingHandler(Duration.ofMillis(500));
        var worker = worker(node.client, "graceful", handler).concurrency(3).start();
        for (int i = 0; i < 9; i++) {
            node.client.start(StartRunRequest.of("graceful", "graceful-" + i, null));
        }
        await().until(() -> handler.attempts().size() >= 2);
        worker.close();
        int done = handler.attempts().size();
        int ended = 0;
        for (int i = 0; i < 9; i++) {
            var run = node.client.run("graceful-" + i);
            ended += run.state().equals("completed") ? 1 : 0;
            assertThat(run.runningSteps()).as("claims of %s", run.id()).isEmpty();
        }
        assertThat(ended).isEqualTo(done);
    }

    private static void workflow(String name) throws Exception {
        node.client.apply(name, "workflow: " + name + "\nsteps: [ { id: a, uses: " + name + " } ]\n");
    }

    private static Client proxiedClient() throws IOException {
        return Client.connect(proxy.url(), node.connection().token());
    }

    private static WorkerBuilder worker(Client client, String name, Handler.WithoutInput handler) {
        return Worker.of(client).module(name, handler).name(name).concurrency(1).lease(Duration.ofSeconds(6));
    }
}
