package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.OrganisationHandle;
import dev.weir.engine.Weir;
import dev.weir.engine.call.CallSettings;
import dev.weir.engine.call.EgressPolicy;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.records.StepRecord;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.testkit.engine.RecordingHttpServer.Reply;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests steps that make HTTP calls, by a node without other workers, over real connections. */
@Tag("R3.11")
class CallsTest {
    private static final int CALLS_MAX = 6;
    private static final SecretSource SECRETS =
            (org, name) -> name.equals("TOKEN") ? Optional.of("canary-4711") : Optional.empty();

    private final AtomicBoolean unreachable = new AtomicBoolean();
    private final MemoryJournal journal = new MemoryJournal(() -> Moment.of(Instant.now()), new UnreachableJournal())
            .with("acme")
            .with("other");
    private final CountDownLatch released = new CountDownLatch(1);
    private RecordingHttpServer server;
    private Weir weir;
    private OrganisationHandle acme;

    private final class UnreachableJournal implements JournalFaults {
        @Override
        public void afterBegin(int shard) {
            if (unreachable.get()) {
                throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
            }
        }
    }

    @BeforeEach
    void open() throws IOException {
        server = new RecordingHttpServer();
        weir = openNode();
        acme = weir.organisation("acme");
    }

    @AfterEach
    void close() {
        released.countDown();
        unreachable.set(false);
        weir.close();
        server.close();
    }

    private Weir openNode() {
        var calls = new CallSettings(
                new EgressPolicy(List.of(server.address())),
                CALLS_MAX,
                Duration.ofSeconds(2),
                1_000,
                CallSettings.MEMORY_BYTES_MIN);
        return Weir.open(journal, journal.records(), new EngineSettings("node", SECRETS, calls));
    }

    @Test
    void a_call_is_made_under_its_key_and_its_answer_is_the_output() {
        start("r", "call: {method: POST, url: '${{ input.url }}a', headers: {X-A: b}, body: {n: '${{ input.n }}'}}");
        StepRecord step = awaitEnd("r");
        assertThat(step.state()).isEqualTo(StepState.COMPLETED);
        assertThat(output(step))
                .startsWith("{\"body\":{\"ok\":true},\"headers\":{")
                .endsWith("},\"status\":200}");
        var call = server.calls.getFirst();
        assertThat(call.method() + " " + call.path() + " " + call.body()).isEqualTo("POST /a {\"n\":7}");
        assertThat(call.header("Idempotency-key")).isEqualTo("r/say/1");
        assertThat(call.header("X-a")).isEqualTo("b");
    }

    @Test
    void every_item_has_a_key_of_its_own() {
        start("r", "with_items: [5, 6, 7], concurrency: 1, call: {url: '${{ input.url }}${{ item }}'}");
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(server.calls)
                .extracting(call -> call.path() + " " + call.header("Idempotency-key"))
                .containsExactly("/5 r/say/0/1", "/6 r/say/1/1", "/7 r/say/2/1");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 429})
    void a_temporary_error_is_retried_as_another_attempt(int status) {
        server.replies = call -> reply(call.header("Idempotency-key").endsWith("/3") ? 200 : status, Map.of());
        start("r", "call: {url: '${{ input.url }}'}, retry: {max_attempts: 3, delay: 1ms}");
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(server.calls)
                .extracting(call -> call.header("Idempotency-key"))
                .containsExactly("r/say/1", "r/say/2", "r/say/3");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422})
    void a_permanent_error_fails_the_step_at_once(int status) {
        server.replies = call -> reply(status, Map.of("Retry-After", "1000"));
        start("r", "call: {url: '${{ input.url }}'}, flow_control: [{key: k, parallelism: 5}]");
        StepRecord step = awaitEnd("r");
        assertThat(step.state()).isEqualTo(StepState.FAILED);
        assertThat(error(step)).contains("" + status);
        assertThat(server.calls).hasSize(1);
        assertThat(acme.limits()).noneMatch(limit -> limit.paused());
    }

    @Test
    void an_internal_address_is_not_called_and_the_error_names_who_can_allow_it() {
        start("r", "call: {url: 'http://localhost:1/'}");
        StepRecord step = awaitEnd("r");
        assertThat(step.state()).isEqualTo(StepState.FAILED);
        assertThat(error(step)).contains("localhost", "127.0.0.0/8", "an operator can allow the host");
    }

    @Test
    void a_retry_after_response_holds_the_key_for_all_of_its_steps_across_a_restart() {
        server.replies = call -> reply(429, Map.of("Retry-After", "3600"));
        String step = "call: {url: '${{ input.url }}'}, flow_control: [{key: k, parallelism: 5}]";
        start("r", step);
        await().until(() ->
                acme.limits().stream().anyMatch(limit -> limit.limit().equals(new LimitId.Key("k")) && limit.paused()));
        weir.close();
        weir = openNode();
        acme = weir.organisation("acme");
        start("another", step);
        await().until(() -> acme.why(UnitId.of("another", "say")).isPresent());
        assertThat(acme.why(UnitId.of("another", "say")).orElseThrow().blockers())
                .anySatisfy(blocker -> assertThat(blocker.limit()).isEqualTo(new LimitId.Key("k")));
        var key = weir.query("acme", (org, now) -> {
                    var queries = new OrganisationQueries(org, now);
                    return queries.snapshot(queries.findKey("k").orElseThrow());
                })
                .join();
        assertThat(key.paused()).as("no operator has paused it").isFalse();
        assertThat(key.retryAfter())
                .extracting(RetryAfterHold::status, RetryAfterHold::by)
                .containsExactly(429, UnitId.of("r", "say"));
        assertThat(server.calls).hasSize(1);
    }

    @Test
    void a_secret_is_sent_and_what_comes_back_does_not_show_it() {
        server.replies = call -> new Reply(
                302,
                "application/json",
                "{\"you sent\":\"" + call.header("Authorization") + "\"}",
                Map.of(
                        "Location",
                        "http://127.0.0.1/?t=" + call.header("Authorization").substring(7)));
        start("r", "call: {url: '${{ input.url }}', headers: {Authorization: 'Bearer ${{ secrets.TOKEN }}'}}");
        StepRecord step = awaitEnd("r");
        assertThat(server.calls.getFirst().header("Authorization")).isEqualTo("Bearer canary-4711");
        assertThat(output(step)).doesNotContain("canary").contains("{\"you sent\":\"Bearer ***\"}", "?t=***");
    }

    @Test
    void a_handler_in_this_process_gets_a_secret_and_neither_its_log_nor_its_error_shows_it() {
        var serving = acme.serve(ModuleInfo.of("m"), 1, claim -> {
            claim.log("token " + claim.input().path("t").asString(""));
            throw new IllegalStateException(claim.input().path("t").asString(""));
        });
        start("r", "uses: m, with: {t: '${{ secrets.TOKEN }}'}, retry: {max_attempts: 1}");
        assertThat(error(awaitEnd("r"))).isEqualTo("java.lang.IllegalStateException: ***");
        String said =
                weir.records().logs().read("acme", UnitId.of("r", "say"), 1, "").text();
        assertThat(said)
                .startsWith("token ***\njava.lang.IllegalStateException: ***\n\tat ")
                .contains("CallsTest");
        serving.close();
    }

    @Test
    void a_secret_that_is_not_known_is_named_and_nothing_is_sent() {
        start("r", "call: {url: '${{ input.url }}', headers: {A: '${{ secrets.LOST }}'}}");
        StepRecord step = awaitEnd("r");
        assertThat(step.state()).isEqualTo(StepState.FAILED);
        assertThat(error(step)).contains("expected a secret named LOST, found none");
        assertThat(server.calls).isEmpty();
    }

    @Test
    @Tag("S9")
    void an_organisation_with_very_much_to_call_leaves_places_to_another() {
        var inside = new AtomicInteger();
        server.replies = call -> {
            if (call.path().equals("/hog")) {
                inside.incrementAndGet();
                awaitRelease();
            }
            return reply(200, Map.of());
        };
        start("r", "with_items: '${{ range(50) }}', call: {url: '${{ input.url }}hog'}");
        await().until(() -> inside.get() == CALLS_MAX * 2 / 3);
        start(weir.organisation("other"), "quick", "call: {url: '${{ input.url }}'}");
        assertThat(awaitEnd("other", "quick").state()).isEqualTo(StepState.COMPLETED);
        assertThat(inside).hasValue(CALLS_MAX * 2 / 3);
        released.countDown();
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(inside).hasValue(50);
    }

    @Test
    @Tag("R1.9")
    void a_call_under_way_is_broken_off_when_its_run_is_cancelled() {
        server.replies = call -> {
            awaitRelease();
            return reply(200, Map.of());
        };
        start("r", "call: {url: '${{ input.url }}'}", "cancel: cancel_running\n");
        await().until(() -> !server.calls.isEmpty());
        acme.cancel("r", "no longer wanted");
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.CANCELLED);
        assertThat(journal.records().findRun("acme", "r").orElseThrow().state()).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void a_node_that_closes_puts_calls_under_way_off_and_the_next_makes_them_with_the_same_key() {
        var first = new AtomicBoolean(true);
        server.replies = call -> {
            if (first.getAndSet(false)) {
                awaitRelease();
            }
            return reply(200, Map.of());
        };
        start("r", "call: {url: '${{ input.url }}'}");
        await().until(() -> !server.calls.isEmpty());
        weir.close();
        weir = openNode();
        acme = weir.organisation("acme");
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(server.calls)
                .extracting(call -> call.header("Idempotency-key"))
                .containsExactly("r/say/1", "r/say/1");
    }

    @Test
    void a_call_that_got_no_response_is_made_again_with_the_same_key() {
        server.replies = call -> {
            if (server.calls.size() < 3) {
                throw new IllegalStateException("the connection is closed without a response");
            }
            return reply(200, Map.of());
        };
        start("r", "call: {url: '${{ input.url }}'}, retry: {max_attempts: 3, delay: 1ms}");
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(server.calls)
                .extracting(call -> call.header("Idempotency-key"))
                .containsExactly("r/say/1", "r/say/1", "r/say/1");
    }

    @Test
    void a_call_that_an_operator_resumes_has_another_key() {
        server.replies = call -> reply(server.calls.size() < 2 ? 400 : 200, Map.of());
        start("r", "call: {url: '${{ input.url }}'}, on_failure: pause");
        await().until(() -> journal.records().findRun("acme", "r").orElseThrow().state() == RunState.PAUSED);
        acme.resume("r");
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(server.calls)
                .extracting(call -> call.header("Idempotency-key"))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_result_that_cannot_be_stored_is_reported_when_the_store_is_back() {
        server.replies = call -> {
            unreachable.set(true);
            return reply(200, Map.of());
        };
        start("r", "call: {url: '${{ input.url }}'}");
        await().until(() -> !server.calls.isEmpty());
        unreachable.set(false);
        assertThat(awaitEnd("r").state()).isEqualTo(StepState.COMPLETED);
        assertThat(server.calls).hasSize(1);
    }

    private static String output(StepRecord step) {
        return String.valueOf(((Update.Completed) Objects.requireNonNull(step.lastUpdate())).output());
    }

    private static String error(StepRecord step) {
        return ((Update.Failed) Objects.requireNonNull(step.lastUpdate())).error();
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Reply reply(int status, Map<String, String> headers) {
        return new Reply(status, "text/plain", "", headers);
    }

    private void start(String run, String step) {
        start(acme, run, step);
    }

    private void start(OrganisationHandle org, String run, String step) {
        start(org, run, step, "");
    }

    private void start(String run, String step, String more) {
        start(acme, run, step, more);
    }

    private void start(OrganisationHandle org, String run, String step, String more) {
        String yaml = "workflow: w\n" + more + "steps: [{id: say, " + step + "}]";
        org.register(WorkflowReader.read(yaml).orThrow());
        var input =
                JsonNodeFactory.instance.objectNode().put("url", server.url()).put("n", 7);
        org.start(StartRequest.of(run, "w", input));
    }

    private StepRecord awaitEnd(String run) {
        return awaitEnd("acme", run);
    }

    private StepRecord awaitEnd(String org, String run) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> journal.records()
                        .findRun(org, run)
                        .filter(found -> found.state().ended())
                        .isPresent());
        return journal.records().findStep(org, UnitId.of(run, "say")).orElseThrow();
    }
}
