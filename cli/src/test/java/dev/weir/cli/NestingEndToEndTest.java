package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Runs.StepView;
import dev.weir.api.Starts.RetryRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.client.RequestFailed;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.SqlStatements;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Tests runs that invoke runs, events, and retried runs over HTTP and PostgreSQL, with a restart in the middle. */
@SuppressWarnings("NullAway.Init") // set before the first test
class NestingEndToEndTest {
    private static final SqlStatements SQL = SqlStatements.of(NestingEndToEndTest.class);
    private static RunningNode node;

    @BeforeAll
    static void open() throws Exception {
        node = RunningNode.in("nesting");
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static void apply(String name, String definition) throws Exception {
        node.client.apply(name, "workflow: " + name + "\n" + definition);
    }

    private static WorkClaim claim(String module) throws Exception {
        var ask = new ClaimRequest(
                List.of(ModuleInfo.of(module)),
                null,
                null,
                1,
                "20s",
                "1m",
                UUID.randomUUID().toString(),
                "test");
        return node.client.claim(ask).claims().get(0);
    }

    private static void complete(WorkClaim claim, String output) throws Exception {
        report(ModuleStatusUpdate.completed(claim, JsonMapper.shared().readTree(output)));
    }

    private static void fail(WorkClaim claim) throws Exception {
        report(ModuleStatusUpdate.failed(claim, "no", true));
    }

    private static void report(ModuleStatusUpdate update) throws Exception {
        assertThat(node.client
                        .update(new UpdateRequest(List.of(update)))
                        .results()
                        .get(0)
                        .outcome())
                .isEqualTo("applied");
    }

    /** Returns the run that a step has invoked. Its id ends with the fence of the step's claim. */
    private static String child(String run, String step) throws Exception {
        return run + "." + step + "." + step(node.client.run(run), step).fence();
    }

    private static StepView step(RunView run, String step) {
        return run.steps().stream()
                .filter(each -> each.id().equals(step))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("S5")
    @Tag("R3.5")
    void a_run_invokes_another_under_its_own_place_and_goes_on_with_its_output_after_a_restart() throws Exception {
        apply("billing", """
                limits: { max_concurrent_runs: 1 }
                steps: [ { id: sum, uses: nest.sum, with: { of: "${{ input.order }}" } } ]
                """);
        apply("shop", """
                limits: { max_concurrent_runs: 1 }
                steps:
                  - { id: bill, invoke: { workflow: billing, input: { order: 7 } } }
                  - { id: tell, needs: [bill], emit: { event: order.closed, data: { sum: "${{ steps.bill.output.sum }}" } } }
                  - { id: pack, needs: [tell], uses: nest.pack, with: { bill: "${{ steps.bill.output }}" } }
                """);
        node.client.start(StartRunRequest.of("shop", "shop-1", null));
        node.client.start(StartRunRequest.of("shop", "shop-2", null));
        WorkClaim sum = claim("nest.sum");
        assertThat(sum.run()).startsWith("shop-1.bill.");
        assertThat(sum.input().toString()).isEqualTo("{\"of\":7}");
        node = node.restart();
        RunView waiting = node.client.run("shop-1");
        assertThat(waiting.state()).isEqualTo("waiting");
        assertThat(step(waiting, "bill").state()).isEqualTo("waiting");
        assertThat(step(waiting, "bill").child()).isEqualTo(sum.run());
        var origin = node.client.run(sum.run()).origin();
        assertThat(String.valueOf(origin)).contains("run=shop-1, step=bill", "root=shop-1", "depth=1");
        assertThat(node.client.run("shop-2").state()).isEqualTo("queued");
        complete(sum, "42");
        WorkClaim pack = claim("nest.pack");
        assertThat(pack.input().toString()).isEqualTo("{\"bill\":{\"sum\":42}}");
        assertThat(step(node.client.run("shop-1"), "tell").state()).isEqualTo("completed");
        complete(pack, "null");
        assertThat(node.awaitEnd("shop-1").state()).isEqualTo("completed");
        assertThat(claim("nest.sum").run()).startsWith("shop-2.bill.");
        node.client.cancel("shop-2", new CancelRequest("cancel_running", "enough"));
    }

    @Test
    void an_event_is_kept_once_with_what_it_says_and_where_it_comes_from() throws Exception {
        apply("inner", """
                steps: [ { id: say, emit: { event: inner.done, data: { n: "${{ input.n }}" } } } ]
                """);
        apply("told", """
                steps:
                  - { id: first, uses: nest.told }
                  - { id: each, needs: [first], with_items: [x, y], emit: { event: item.seen, data: { item: "${{ item }}", all: "${{ steps.first.output.of }}" } } }
                  - { id: call, needs: [each], invoke: { workflow: inner, input: { n: 3 } } }
                  - { id: last, needs: [call], uses: nest.told }
                """);
        node.client.start(StartRunRequest.of("told", "told-1", null));
        complete(claim("nest.told"), "{\"of\": [1, \"\u00fc\"]}");
        WorkClaim last = claim("nest.told");
        assertThat(last.step()).isEqualTo("last");
        String called = child("told-1", "call");
        node.close();
        List<String> kept = emitted();
        assertThat(kept)
                .containsExactly(
                        "told-1/each told-1 1 item.seen {\"all\":[1,\"\u00fc\"],\"item\":\"x\"}",
                        "told-1/each told-1 1 item.seen {\"all\":[1,\"\u00fc\"],\"item\":\"y\"}",
                        called + "/say told-1 2 inner.done {\"n\":3}");
        node = node.reopen();
        assertThat(step(node.client.run("told-1"), "each").state()).isEqualTo("completed");
        complete(last, "1");
        assertThat(node.awaitEnd("told-1").state()).isEqualTo("completed");
        node.close();
        assertThat(emitted()).as("after the run has ended").isEqualTo(kept);
        node = node.reopen();
    }

    /** Returns the stored events of run told-1 and of the runs that it invoked. */
    private static List<String> emitted() throws Exception {
        List<String> events = new ArrayList<>();
        try (var postgres = EmbeddedPostgres.open(node.data, EmbeddedSettings.DEFAULT);
                var connection = postgres.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(SQL.get("emitted"))) {
            while (rows.next()) {
                events.add(rows.getString("run") + "/" + rows.getString("step") + " " + rows.getString("root") + " "
                        + rows.getInt("depth") + " " + rows.getString("event") + " " + rows.getString("data"));
                assertThat(rows.getLong("at")).isPositive();
            }
        }
        return events;
    }

    @Test
    @Tag("R1.9")
    void a_cancel_goes_down_to_the_runs_that_were_invoked_also_when_the_node_restarts_between() throws Exception {
        apply("deep", "steps: [ { id: d, uses: nest.deep } ]");
        apply("middle", "steps: [ { id: m, invoke: { workflow: deep, input: {} } } ]");
        apply("top", "steps: [ { id: t, invoke: { workflow: middle, input: {} } } ]");
        node.client.start(StartRunRequest.of("top", "top-1", null));
        WorkClaim deep = claim("nest.deep");
        String middle = child("top-1", "t");
        assertThat(deep.run()).isEqualTo(child(middle, "m"));
        node.client.cancel("top-1", new CancelRequest(null, "enough"));
        node = node.restart();
        assertThat(node.client.run("top-1").endedAt()).isNull();
        complete(deep, "1");
        for (String run : List.of("top-1", middle, deep.run())) {
            assertThat(node.awaitEnd(run).state()).as(run).isEqualTo("cancelled");
        }
    }

    @Test
    @Tag("R4.6")
    void an_impossible_invocation_fails_the_step_with_its_reason() throws Exception {
        apply("loop", "limits: { max_cascade_depth: 2 }\nsteps: [ { id: s, invoke: { workflow: loop, input: {} } } ]");
        apply("keyed", """
                limits: { run_key: "${{ input.order }}", max_concurrent_runs_per_key: 1 }
                steps: []
                """);
        apply("wrong", "steps: [ { id: s, invoke: { workflow: keyed, input: { colour: red } } } ]");
        apply("typo", "steps: [ { id: s, invoke: { workflow: keyd, input: {} } } ]");
        for (String workflow : List.of("loop", "wrong", "typo")) {
            node.client.start(StartRunRequest.of(workflow, workflow + "-1", null));
        }
        node.awaitEnd("loop-1");
        String deepest = child(child("loop-1", "s"), "s");
        assertThat(step(node.awaitEnd(deepest), "s").error())
                .contains("cascade_detected: expected a chain of at most 2, found 3");
        assertThat(step(node.awaitEnd("wrong-1"), "s").error()).contains("run wrong-1.s.", "order");
        assertThat(step(node.awaitEnd("typo-1"), "s").error())
                .contains("workflow not found: keyd; did you mean keyed?");
    }

    @Test
    @Tag("S5")
    @Tag("S7")
    void a_failed_run_is_tried_again_from_the_failed_step_after_a_restart_and_only_once() throws Exception {
        apply("twice", """
                steps:
                  - { id: a, uses: nest.a }
                  - { id: b, needs: [a], uses: nest.b, with: { a: "${{ steps.a.output }}" }, flow_control: { key: nest, parallelism: 1 } }
                """);
        node.client.start(
                StartRunRequest.of("twice", "twice-1", JsonMapper.shared().readTree("{\"n\": 1}")));
        assertThat(failsWith(409, "twice-1")).contains("expected a run that has ended, found twice-1 running");
        complete(claim("nest.a"), "\"kept\"");
        fail(claim("nest.b"));
        node.awaitEnd("twice-1");
        node = node.restart();
        node.client.start(StartRunRequest.of("twice", "holder", null));
        complete(claim("nest.a"), "1");
        WorkClaim holder = claim("nest.b");
        assertThat(weir("retry", "twice-1")).isEqualTo("twice-1.retry-1: retry of twice-1, running");
        assertThat(weir("retry", "twice-1")).startsWith("twice-1.retry-1: already exists");
        node = node.restart();
        assertThat(node.client.retry("twice-1", new RetryRequest(null)).created())
                .isFalse();
        RunView retried = node.client.run("twice-1.retry-1");
        assertThat(String.valueOf(retried.origin())).contains("retryOf=twice-1");
        assertThat(retried.input().toString()).isEqualTo("{\"n\":1}");
        assertThat(step(retried, "a").state()).isEqualTo("completed");
        assertThat(step(retried, "b").held()).isTrue();
        complete(holder, "1");
        WorkClaim b = claim("nest.b");
        assertThat(b.run()).isEqualTo("twice-1.retry-1");
        assertThat(b.input().toString()).isEqualTo("{\"a\":\"kept\"}");
        complete(b, "1");
        assertThat(node.awaitEnd("twice-1.retry-1").state()).isEqualTo("completed");
        assertThat(failsWith(409, "twice-1.retry-1")).contains("completed; start a new run instead");
        assertThat(failsWith(404, "nobody")).contains("run not found: nobody");
    }

    private static String failsWith(int status, String run) {
        var failure = new RequestFailed.Refused[1];
        assertThatThrownBy(() -> node.client.retry(run, new RetryRequest(null)))
                .isInstanceOfSatisfying(RequestFailed.Refused.class, refused -> failure[0] = refused);
        assertThat(failure[0].problem().status()).isEqualTo(status);
        return String.valueOf(failure[0].getMessage());
    }

    private static String weir(String... args) {
        var out = new StringWriter();
        var all = new java.util.ArrayList<>(List.of(args));
        all.addAll(List.of("--data", node.data.toString()));
        var printer = new PrintWriter(out, true);
        assertThat(Main.commandLine().setOut(printer).setErr(printer).execute(all.toArray(String[]::new)))
                .as(out.toString())
                .isZero();
        return out.toString().strip();
    }
}
