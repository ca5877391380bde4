package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.OrganisationHandle;
import dev.weir.engine.Weir;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.log.AttemptLog;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.secret.SecretRedactor;
import dev.weir.engine.work.ClaimRequest;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.engine.work.ModuleStatusUpdate;
import dev.weir.engine.work.RuntimeOverrides;
import dev.weir.engine.work.UpdateRequest;
import dev.weir.engine.work.WorkClaim;
import dev.weir.engine.work.WorkerLoop;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.StringNode;

/** Tests Weir as a library: a program starts runs and does their work itself. */
@Tag("R2.1")
class OrganisationHandleTest {
    private static final ModuleInfo HELLO = ModuleInfo.of("hello");

    private final AtomicBoolean unreachable = new AtomicBoolean();
    private final MemoryJournal journal =
            new MemoryJournal(() -> Moment.of(Instant.now()), new UnreachableJournal()).with("acme");
    private final Weir weir = Weir.open(journal, journal.records(), new EngineSettings("node"));
    private final OrganisationHandle org = weir.organisation("acme");

    private @Nullable WorkerLoop workerLoop;

    private final class UnreachableJournal implements JournalFaults {
        @Override
        public void afterBegin(int shard) {
            if (unreachable.get()) {
                throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
            }
        }
    }

    @AfterEach
    void close() {
        unreachable.set(false);
        if (workerLoop != null) {
            workerLoop.close();
        }
        weir.close();
    }

    @Test
    void a_program_claims_chosen_work_of_one_run_and_reports_it() {
        org.register(Workflow.named("greet")
                .maxParallel(1)
                .step("a")
                .uses("hello")
                .step("b")
                .uses("hello")
                .build());
        assertThat(org.start(List.of(request("r1"), request("r2"))))
                .allMatch(answer -> answer instanceof StartOutcome.Started);

        var first = org.claim(ClaimRequest.ofRun("r1", 9));
        assertThat(first.claims()).extracting(WorkClaim::unit).containsExactly(UnitId.of("r1", "a"));
        assertThat(first.state()).isNotNull();
        assertThat(org.why(UnitId.of("r1", "b")).orElseThrow().blockers()).isNotEmpty();

        assertThat(org.override("r1", new RuntimeOverrides(2))).isEqualTo(OverrideRun.Answer.OVERRIDDEN);
        assertThat(org.claim(ClaimRequest.ofRun("r1", 9)).claims()).hasSize(1);
        var done =
                new UpdateRequest(List.of(ModuleStatusUpdate.of(first.claims().getFirst(), new Update.NoOp())));
        assertThat(org.update(done)).containsExactly(UpdateStep.Answer.APPLIED);
    }

    @Test
    void a_worker_loop_that_is_closed_as_it_begins_waits_for_no_work() {
        Instant start = Instant.now();
        for (int i = 0; i < 500; i++) {
            org.serve(HELLO, 1, claim -> new Update.NoOp()).close();
        }
        assertThat(Duration.between(start, Instant.now())).isLessThan(Weir.WAIT_MAX.dividedBy(2));
    }

    @Test
    void a_program_pauses_resumes_and_cancels() {
        org.register(SteppedShard.workflow("greet"));
        org.start(request("r"));
        assertThat(org.pause("r")).isEqualTo(PauseRun.Answer.PAUSED);
        assertThat(org.resume("r")).isEqualTo(ResumeRun.Answer.RESUMED);
        assertThat(org.cancel("r", "no more")).isEqualTo(new CancelRun.Answer.Cancelling(RunState.CANCELLED));
        assertThatThrownBy(() -> weir.organisation("nobody").limits()).isInstanceOf(CommandFailed.class);
    }

    @Test
    void a_program_decides_about_steps_keeps_a_claim_alive_and_tries_again() {
        org.register(Workflow.named("greet")
                .step("check")
                .gate("Is it right?")
                .step("wrap")
                .uses("paper")
                .optional()
                .step("say")
                .needs("check", "wrap")
                .uses("hello")
                .build());
        org.start(request("r"));
        assertThat(org.why("r")).isEmpty();
        assertThat(org.approve("r", "check", "ann")).isEqualTo(ApproveStep.Answer.APPROVED);
        assertThat(org.skip("r", "wrap")).isEqualTo(SkipStep.Answer.SKIPPED);

        var claim = org.claim(ClaimRequest.of(HELLO, 1)).claims().getFirst();
        assertThat(org.heartbeat(claim)).isInstanceOf(Heartbeat.Answer.Extended.class);
        org.update(new UpdateRequest(List.of(ModuleStatusUpdate.of(claim, new Update.Failed("no", true)))));
        assertThat(org.retry("r")).isInstanceOf(RetryOutcome.Started.class);
    }

    @Test
    void the_log_of_a_handler_can_be_read_while_it_runs_and_after_it_failed() {
        var go = new CountDownLatch(1);
        workerLoop = org.serve(HELLO, 1, claim -> {
            claim.log("try " + claim.attempt() + " says \0 and half \ud800");
            go.await();
            claim.log("done");
            return new Update.Failed("no", true);
        });
        org.register(Workflow.named("greet").step("say").uses("hello").build());
        org.start(request("r"));
        UnitId unit = UnitId.of("r", "say");
        await().until(() ->
                !weir.records().logs().read("acme", unit, null, "").text().isEmpty());
        assertThat(weir.records().logs().read("acme", unit, null, "").text())
                .isEqualTo("try 1 says \uFFFD and half ?\n");
        go.countDown();
        await().until(() -> weir.records().findRun("acme", "r").orElseThrow().state() == RunState.FAILED);
        assertThat(weir.records().logs().read("acme", unit, 1, "").text()).endsWith("\ndone\n");
    }

    @Test
    void work_is_done_in_this_process_and_what_a_handler_throws_is_a_failed_try() {
        org.register(SteppedShard.workflow("greet"));
        var tries = new AtomicInteger();
        workerLoop = org.serve(HELLO, 2, claim -> {
            if (tries.incrementAndGet() == 1) {
                throw new IOException("not yet");
            }
            return new Update.Completed(claim.input());
        });
        org.start(List.of(request("r1"), request("r2"), request("r3")));
        await().until(() -> state("r1") == RunState.COMPLETED
                && state("r2") == RunState.COMPLETED
                && state("r3") == RunState.COMPLETED);
        assertThat(tries).hasValue(4);
    }

    @Test
    void an_output_that_is_too_large_is_refused_and_fails_a_step_for_good() {
        org.register(SteppedShard.workflow("greet"));
        org.start(request("r1"));
        var large = new Update.Completed(StringNode.valueOf("x".repeat(Update.OUTPUT_CHARS_MAX)));
        var claim = org.claim(ClaimRequest.ofRun("r1", 1)).claims().getFirst();
        assertThatThrownBy(() -> org.update(new UpdateRequest(List.of(ModuleStatusUpdate.of(claim, large)))))
                .isInstanceOf(CommandFailed.class)
                .hasMessageContaining("expected at most 262144 characters of JSON, found 262146");
        assertThat(state("r1")).isEqualTo(RunState.RUNNING);
        workerLoop = org.serve(HELLO, 1, ignored -> large);
        org.start(request("r2"));
        await().until(() -> state("r2") == RunState.FAILED);
        assertThat(weir.records().findRun("acme", "r2").orElseThrow().reason())
                .contains("expected an output of at most 262144 characters of JSON");
    }

    @Test
    void an_output_that_no_store_can_keep_is_refused_and_fails_a_step_for_good() {
        org.register(SteppedShard.workflow("greet"));
        List<JsonNode> odd =
                List.of(DoubleNode.valueOf(Double.NaN), StringNode.valueOf("a\0"), StringNode.valueOf("\ud83d"));
        for (int i = 0; i < odd.size(); i++) {
            org.start(request("asked" + i));
            var output = new Update.Completed(odd.get(i));
            var claim = org.claim(ClaimRequest.ofRun("asked" + i, 1)).claims().getFirst();
            assertThatThrownBy(() -> org.update(new UpdateRequest(List.of(ModuleStatusUpdate.of(claim, output)))))
                    .isInstanceOf(CommandFailed.class)
                    .hasMessageContaining("expected JSON that Weir can store");
            workerLoop = org.serve(HELLO, 1, ignored -> output);
            org.start(request("served" + i));
            String served = "served" + i;
            await().until(() -> state(served) == RunState.FAILED);
            assertThat(weir.records().findRun("acme", served).orElseThrow().reason())
                    .contains("expected an output that Weir can store as JSON");
            workerLoop.close();
        }
    }

    private RunState state(String run) {
        return weir.records().findRun("acme", run).orElseThrow().state();
    }

    @Test
    @Tag("S8")
    void a_body_whose_claim_cannot_be_renewed_is_stopped_before_its_lease_is_over() {
        org.register(SteppedShard.workflow("greet"));
        org.start(request("r"));
        var started = new CountDownLatch(1);
        var stopped = new AtomicBoolean();
        var job = new WorkerLoop.HandlerSettings(
                HELLO,
                Duration.ofSeconds(5),
                1,
                claim -> {
                    started.countDown();
                    unreachable.set(true);
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        stopped.set(true);
                        unreachable.set(false);
                    }
                    return new Update.NoOp();
                },
                this::open);
        workerLoop = new WorkerLoop(weir, "acme", job);
        await().until(() -> started.getCount() == 0);
        Instant start = Instant.now();
        await().untilTrue(stopped);
        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofMillis(4_800));
    }

    private WorkClaim open(dev.weir.core.command.Assignment given) {
        var claim = given.claim();
        return new WorkClaim(
                claim.unit(),
                claim.fence(),
                claim.limitNeeds().module(),
                given.attempt(),
                given.effect(),
                Duration.ofSeconds(5),
                given.input().value(),
                null,
                new AttemptLog(
                        weir.records().logs(), "acme", claim.unit(), claim.fence(), new SecretRedactor(List.of())));
    }

    @Test
    @Tag("L1")
    void a_worker_that_was_refused_asks_again() {
        OrganisationHandle later = weir.organisation("later");
        var done = new AtomicInteger();
        workerLoop = later.serve(HELLO, 1, work -> {
            done.incrementAndGet();
            return new Update.NoOp();
        });
        var greet = SteppedShard.workflow("greet");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> later.register(greet)).isInstanceOf(CommandFailed.class);
        }

        journal.with("later");
        later.register(greet);
        later.start(request("r"));

        await().untilAsserted(() -> assertThat(done).hasValue(1));
    }
}
