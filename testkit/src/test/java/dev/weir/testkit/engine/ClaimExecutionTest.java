package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.OrganisationHandle;
import dev.weir.engine.Weir;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.work.ClaimExecution;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests work within this process on claims that arrived late, were lost, or are abandoned at a close. */
@Tag("S8")
class ClaimExecutionTest {
    private static final Update DONE = new Update.NoOp();

    private final AtomicBoolean unreachable = new AtomicBoolean();
    private final MemoryJournal journal =
            new MemoryJournal(() -> Moment.of(Instant.now()), new UnreachableJournal()).with("acme");
    private final Weir weir = Weir.open(journal, journal.records(), new EngineSettings("node"));
    private final OrganisationHandle org = weir.organisation("acme");

    private final class UnreachableJournal implements JournalFaults {
        @Override
        public void afterBegin(int shard) {
            if (unreachable.get()) {
                throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
            }
        }
    }

    @BeforeEach
    void start() {
        org.register(SteppedShard.workflow("greet"));
        org.start(request("r"));
    }

    @AfterEach
    void close() {
        weir.close();
    }

    private Assignment claim(Duration lease) {
        var work = new ClaimWork("q", "w", List.of(new ClaimWork.ServedModule("hello")), 1, Moment.micros(lease));
        return weir.claim("acme", work, Duration.ofSeconds(5)).join().getFirst();
    }

    private static long ago(Duration time) {
        return System.nanoTime() - time.toNanos();
    }

    private StepState step() {
        return weir.records().steps("acme", "r").getFirst().state();
    }

    @Test
    void a_claim_with_a_slow_response_is_renewed_before_its_body_begins() {
        Assignment assignment = claim(Duration.ofSeconds(30));
        new ClaimExecution(weir, "acme", assignment, ago(Duration.ofSeconds(29)))
                .run(ClaimExecutionTest::aSecond, () -> false);
        assertThat(weir.records().findRun("acme", "r").orElseThrow().state()).isEqualTo(RunState.COMPLETED);
    }

    private static Update aSecond() throws InterruptedException {
        return new CountDownLatch(1).await(1, TimeUnit.SECONDS) ? new Update.Failed("woken", false) : DONE;
    }

    @Test
    void a_body_does_not_begin_if_its_claim_was_lost_before_the_response() {
        Assignment assignment = claim(Duration.ofSeconds(30));
        weir.send(
                        "acme",
                        new UpdateStep(
                                assignment.claim().unit(), assignment.claim().fence(), DONE))
                .join();
        var started = new AtomicBoolean();
        new ClaimExecution(weir, "acme", assignment, ago(Duration.ofSeconds(29)))
                .run(
                        () -> {
                            started.set(true);
                            return DONE;
                        },
                        () -> false);
        assertThat(started).isFalse();
    }

    @Test
    void a_body_that_fails_because_its_claim_cannot_be_renewed_costs_no_try() {
        Assignment assignment = claim(Duration.ofSeconds(5));
        unreachable.set(true);
        new ClaimExecution(weir, "acme", assignment, System.nanoTime())
                .run(
                        () -> {
                            try {
                                return endless();
                            } finally {
                                unreachable.set(false);
                            }
                        },
                        () -> true);
        assertThat(step()).isEqualTo(StepState.RUNNING);
    }

    private static Update endless() throws InterruptedException {
        new CountDownLatch(1).await();
        return DONE;
    }

    @Test
    void a_close_that_may_wait_no_longer_reports_no_failure() throws Exception {
        var started = new CountDownLatch(1);
        var serving = org.serve(ModuleInfo.of("hello"), 1, claim -> {
            started.countDown();
            return endless();
        });
        await().until(() -> started.getCount() == 0);
        Thread closes = Thread.ofPlatform().start(serving::close);
        closes.interrupt();
        closes.join();
        assertThat(step()).isEqualTo(StepState.RUNNING);
    }
}
