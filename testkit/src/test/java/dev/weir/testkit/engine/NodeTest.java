package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.request.StateQuery;
import dev.weir.engine.request.Unavailable;
import dev.weir.testkit.journal.MemoryJournal;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests a node with real threads and real time. */
class NodeTest {
    private static final long LEASE = 30_000_000;

    private final MemoryJournal journal = new MemoryJournal().with("acme", "other");
    private final Weir weir = Weir.open(journal, journal.records(), new EngineSettings("node"));

    @AfterEach
    void close() {
        weir.close();
    }

    @Test
    void a_run_goes_from_its_start_to_its_end() throws Exception {
        register("greet");
        assertThat(get(weir.start("acme", start("r1", "greet"))))
                .isEqualTo(new StartOutcome.Started("r1", RunState.RUNNING, 1));

        Assignment work = get(poll("q1")).getFirst();
        var done = new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.NoOp());

        assertThat(get(weir.send("acme", done))).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(get(weir.send("acme", done))).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(weir.records().findRun("acme", "r1").orElseThrow().state()).isEqualTo(RunState.COMPLETED);
        assertThat(weir.records().findRun("other", "r1")).isEmpty();
    }

    @Test
    void a_shard_that_runs_out_of_memory_reports_it_and_is_reopened() throws Exception {
        register("greet");
        get(weir.start("acme", start("r1", "greet")));
        StateQuery<Long> greedy = (org, now) -> {
            throw new OutOfMemoryError("planted");
        };

        assertThatThrownBy(() -> get(weir.query("acme", greedy)))
                .hasCauseInstanceOf(Unavailable.class)
                .hasMessageContaining("planted");
        await().ignoreExceptions().until(() -> get(poll("q1")).size() == 1);
    }

    @Test
    @Tag("L3")
    void due_work_continues_after_an_error_without_a_request() throws Exception {
        get(weir.send(
                "acme",
                new RegisterWorkflow(Workflow.named("nap")
                        .step("nap")
                        .sleep(Duration.ofMillis(1_500))
                        .build())));
        get(weir.start("acme", start("r1", "nap")));
        StateQuery<Long> greedy = (org, now) -> {
            throw new OutOfMemoryError("planted");
        };
        assertThatThrownBy(() -> get(weir.query("acme", greedy))).hasMessageContaining("planted");

        await().until(() -> weir.records().findRun("acme", "r1").orElseThrow().state(), RunState.COMPLETED::equals);
    }

    @Test
    @Tag("L1")
    void a_poll_that_waits_is_woken_by_a_start() throws Exception {
        register("greet");
        CompletableFuture<List<Assignment>> waiting = poll("q1");
        get(weir.query("acme", (org, now) -> now));
        assertThat(waiting).isNotDone();

        get(weir.start("acme", start("r1", "greet")));

        assertThat(get(waiting)).hasSize(1);
    }

    @Test
    void a_poll_ends_empty_when_its_time_is_over() throws Exception {
        register("greet");

        assertThat(get(weir.claim("acme", work("q1"), Duration.ofMillis(20)))).isEmpty();
    }

    @Test
    void a_start_of_an_unknown_workflow_names_the_nearest() throws Exception {
        register("greet");

        assertThat(get(weir.start("acme", start("r1", "gret"))))
                .isEqualTo(new StartOutcome.UnknownWorkflow("gret", "greet"));
    }

    @Test
    void a_query_to_an_unknown_organisation_fails() {
        assertThatThrownBy(() -> get(weir.query("nobody", (org, now) -> now)))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(CommandFailed.class)
                .hasMessageContaining("nobody");
    }

    @Test
    void a_start_that_a_program_left_in_its_own_transaction_begins_by_itself() throws Exception {
        register("greet");

        journal.addToInbox("acme", start("r1", "greet"));

        assertThat(get(poll("q1"))).hasSize(1);
        assertThat(journal.inbox()).isEmpty();
    }

    @Test
    @Tag("R0.14")
    void the_same_start_gives_the_first_run_although_a_new_version_has_another_priority() throws Exception {
        register("greet");
        get(weir.start("acme", start("r1", "greet")));
        var urgent = Workflow.named("greet")
                .policy(old -> new Workflow.Policy(old.deadline(), old.cancel(), 7))
                .step("say")
                .uses("hello")
                .build();
        get(weir.send("acme", new RegisterWorkflow(urgent)));
        var asking = new StartRequest("r1", "greet", JsonNodeFactory.instance.objectNode(), 7, null, new TreeMap<>());

        assertThat(get(weir.start("acme", start("r1", "greet")))).isInstanceOf(StartOutcome.Existing.class);
        assertThat(get(weir.start("acme", asking))).isInstanceOf(StartOutcome.OtherBody.class);
    }

    private CompletableFuture<List<Assignment>> poll(String request) {
        return weir.claim("acme", work(request), Duration.ofSeconds(10));
    }

    private static ClaimWork work(String request) {
        return new ClaimWork(request, "worker", List.of(new ClaimWork.ServedModule("hello")), 1, LEASE);
    }

    private static StartRequest start(String run, String workflow) {
        return StartRequest.of(run, workflow, JsonNodeFactory.instance.objectNode());
    }

    private void register(String name) throws Exception {
        Workflow workflow = Workflow.named(name).step("say").uses("hello").build();
        get(weir.send("acme", new RegisterWorkflow(workflow)));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }
}
