package dev.weir.postgres;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import dev.weir.engine.Weir;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.request.StartRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Fills a store with every kind of row through a real node. Nobody serves the module {@code m} here, so its steps stay
 * ready. Claims do not time out, however old the fixture is. Times that pass by themselves are a minute long, and come
 * last.
 */
final class FixtureScenario {
    static final String NORTH = "north";
    static final String SOUTH = "south";

    private static final long MINUTE = 60_000_000;
    private static final List<String> DEFINITIONS = List.of(
            "workflow: paged\nsteps: [{id: a, uses: paged, timeout: 3650d}]",
            "workflow: early\nsteps: [{id: a, uses: early, timeout: 3650d}]",
            "workflow: two\nsteps: [{id: a, uses: done}, {id: b, needs: [a], uses: m}]",
            "workflow: asks\nsteps: [{id: a, uses: asks, timeout: 3650d}]",
            "workflow: flaky\nsteps: [{id: a, uses: flaky, retry: {max_attempts: 3, delay: 1m}}]",
            "workflow: sleeps\nsteps: [{id: a, sleep: 1m}]",
            "workflow: signals\nsteps: [{id: a, wait_for: {signal: go}}]",
            "workflow: later\nsteps: [{id: a, uses: m}, {id: b, needs: [a], wait_for: {signal: soon}}]",
            "workflow: gated\nsteps: [{id: a, gate: {note: Check it}}]",
            "workflow: parent\nsteps: [{id: a, invoke: {workflow: one, input: {}}}]",
            "workflow: incomplete\nsteps: [{id: a, uses: m, requires: [input.address]}]",
            "workflow: stops\nsteps: [{id: a, uses: stops, on_failure: pause}]",
            "workflow: closed\nsteps: [{id: a, uses: m, flow_control: {key: closed, parallelism: 2}}]",
            "workflow: narrow\nsteps: [{id: a, uses: narrow, timeout: 3650d, flow_control: {key: narrow, parallelism: 5}}]",
            "workflow: single\nlimits: {max_concurrent_runs: 1}\nsteps: [{id: a, uses: m}]",
            "workflow: bounded\ndeadline: 3650d\nsteps: [{id: a, uses: m}]",
            "workflow: busy\nsteps: [{id: a, uses: busy, timeout: 3650d}]",
            "workflow: emits\nsteps: [{id: a, emit: {event: told, data: {x: 1}}}]",
            "workflow: skips\nsteps: [{id: a, uses: done, if: '${{ false }}'}, {id: b, uses: done}]",
            "workflow: fails\nsteps: [{id: a, uses: boom, timeout: 3650d}]",
            """
            workflow: fan
            steps:
              - {id: each, uses: item, timeout: 3650d, with_items: [10, 11, 12, 13, 14], concurrency: 2, with: {n: "${{ item }}"}}
              - {id: after, needs: [each], uses: m}
            """,
            """
            workflow: undo
            steps:
              - {id: book, uses: done, compensate: {uses: m}}
              - {id: pay, needs: [book], uses: boom, timeout: 3650d, on_failure: compensate}
            """,
            """
            workflow: told
            steps: [{id: a, uses: told, flow_control: {key: remote, parallelism: 5}, retry: {max_attempts: 3}}]
            """,
            """
            workflow: rated
            steps: [{id: a, uses: rated, timeout: 3650d, flow_control: {key: "rate-${{ input.n }}", rate: 1, period: 1m}}]
            """,
            """
            workflow: calls
            steps:
              - id: a
                call: {url: "http://127.0.0.1:9/"}
                on_failure: continue
                flow_control: {key: closed, parallelism: 2}
            """);

    private final Weir weir;
    private final OperatorScenario operators;
    private int requests;

    FixtureScenario(Weir weir, PostgresDatabase database) {
        this.weir = weir;
        this.operators = new OperatorScenario(this, weir, database);
    }

    /** Fills a store in which one start was refused. */
    void fill() throws Exception {
        operators.closeNotice();
        register(NORTH, "workflow: one\nsteps: [{id: a, uses: m}]");
        register(SOUTH, "workflow: one\nsteps: [{id: a, uses: m}]");
        start("first_version", "one");
        register(NORTH, "workflow: one\nsteps: [{id: a, uses: m}, {id: b, needs: [a], uses: m}]");
        for (String definition : DEFINITIONS) {
            register(NORTH, definition);
        }
        get(weir.start(SOUTH, StartRequest.of("first_version", "one", OrganisationHarness.json("{\"of\":\"south\"}"))));
        settings();
        claims();
        fanOut();
        history();
        waits();
        queues();
        operators.fill();
        timers();
    }

    private void settings() throws Exception {
        send(new PauseKey(new LimitId.Key("closed"), Moment.NEVER));
        send(PinKey.of(new LimitId.Key("narrow"), 1, Rate.sliding(100, MINUTE), Moment.NEVER));
        start("closed", "closed");
        start("calls", "calls");
        start("narrow_1", "narrow");
        start("narrow_2", "narrow");
        claim("narrow", 1);
        start("overridden", "one");
        send(OverrideRun.replacing("overridden", 3, 2));
        configureRunLimits();
        var unused = weir.bulk()
                .begin(
                        NORTH,
                        "operation",
                        new BulkOperation.Task(
                                BulkOperation.Action.CANCEL,
                                new RunFilter(Set.of(RunState.QUEUED), "nobody's", Map.of("team", "red"), "narrow"),
                                List.of(),
                                CancelPolicy.CANCEL_RUNNING,
                                new BulkOperation.Note("ops", "a mistake")));
    }

    private void configureRunLimits() throws Exception {
        FieldChange<Integer> keep = new FieldChange.Keep<>();
        var note = new ConfigureRunLimits.Note(null, "a backlog");
        var lasting = new ConfigureRunLimits.Values(
                new FieldChange.Replace<>(900), keep, keep, new FieldChange.Replace<>(20), note, Moment.NEVER);
        send(new ConfigureRunLimits("one", lasting, null));
        long until = Moment.of(Instant.now()) + MINUTE;
        var temporary = new ConfigureRunLimits.Values(
                new FieldChange.Replace<>(950), new FieldChange.Replace<>(9_000), keep, keep, note, until);
        send(new ConfigureRunLimits("one", temporary, null));
    }

    /** Makes claims in all three places: in the row of the run, in a shared page, and in rows of their own. */
    private void claims() throws Exception {
        CompletableFuture<List<Assignment>> poll = weir.claim(
                NORTH, new ClaimWork("early", "worker-1", serves("early"), 1, ClaimWork.LEASE_MAX), Weir.WAIT_MAX);
        send(new ResumeKey(new LimitId.Key("none"))); // decided after the poll
        start("early", "early");
        Assignment early = get(poll).getFirst();
        weir.log(NORTH, new LogChunk(early.claim().unit(), early.claim().fence(), 0, "half done\n"));
        for (int i = 0; i < 10; i++) {
            start("paged_" + i, "paged");
        }
        List<Assignment> paged = claim("paged", 10);
        send(new Heartbeat(
                paged.getFirst().claim().unit(), paged.getFirst().claim().fence()));
        report(paged.get(1), new Update.Completed(OrganisationHarness.json("{}")));
    }

    private void fanOut() throws Exception {
        start("fan", "fan");
        report(claim("item", 2).getFirst(), new Update.Completed(OrganisationHarness.json("{\"n\":10}")));
        claim("item", 1);
    }

    private void history() throws Exception {
        start("completed", "skips");
        report(claim("done", 1).getFirst(), new Update.NoOp());
        start("failed", "fails");
        report(claim("boom", 1).getFirst(), failed("broken"));
        start("cancelled", "one");
        weir.organisation(NORTH).cancel("cancelled", "not needed");
        get(weir.retry(NORTH, "failed", "failed_again"));
        start("half", "two");
        report(claim("done", 1).getFirst(), new Update.Completed(OrganisationHarness.json("{}")));
        start("emits", "emits");
    }

    private void waits() throws Exception {
        start("asks", "asks");
        report(claim("asks", 1).getFirst(), new Update.NeedsInput(OrganisationHarness.json("\"Which one?\"")));
        start("signals", "signals");
        start("later", "later");
        send(new SendSignal("later", "signal-1", "soon", OrganisationHarness.json("{\"x\":1}")));
        start("gated", "gated");
        start("parent", "parent");
        start("incomplete", "incomplete");
        start("stops", "stops");
        report(claim("stops", 1).getFirst(), failed("stopped"));
        start("undo", "undo");
        report(claim("done", 1).getFirst(), new Update.Completed(OrganisationHarness.json("{}")));
        // The retried run waits for the same module, and comes first.
        for (Assignment boom : claim("boom", 2)) {
            if (boom.claim().unit().run().equals("undo")) {
                report(boom, failed("no money"));
            }
        }
        start("paused", "one");
        send(new PauseRun("paused"));
    }

    private void queues() throws Exception {
        start("bounded", "bounded");
        start("cancelling", "busy");
        claim("busy", 1);
        weir.organisation(NORTH).cancel("cancelling", "no longer needed");
        start("single_1", "single");
        start("single_2", "single");
        get(weir.start(
                NORTH,
                new StartRequest(
                        "labelled",
                        "one",
                        OrganisationHarness.json("{}"),
                        7,
                        null,
                        new TreeMap<>(Map.of("team", "red")))));
    }

    private void timers() throws Exception {
        start("flaky", "flaky");
        report(claim("flaky", 1).getFirst(), new Update.Failed("try again", false, Update.Failed.NO_RETRY_AFTER, null));
        start("told", "told");
        report(claim("told", 1).getFirst(), new Update.Failed("too many", false, MINUTE, 429));
        for (String run : List.of("rated_1", "rated_2")) {
            get(weir.start(NORTH, StartRequest.of(run, "rated", OrganisationHarness.json("{\"n\":1}"))));
        }
        claim("rated", 1);
        start("sleeps", "sleeps");
        var delayed = new RunRequest.Options(MINUTE, List.of());
        get(weir.start(
                NORTH,
                new StartRequest(
                        "delayed", "one", OrganisationHarness.json("{}"), null, null, new TreeMap<>(), delayed)));
    }

    void register(String org, String definition) throws Exception {
        get(weir.send(org, new RegisterWorkflow(WorkflowReader.read(definition).orThrow())));
    }

    void start(String run, String workflow) throws Exception {
        get(weir.start(NORTH, StartRequest.of(run, workflow, OrganisationHarness.json("{}"))));
    }

    List<Assignment> claim(String module, int most) throws Exception {
        requests++;
        var work = new ClaimWork("request-" + requests, "worker-1", serves(module), most, ClaimWork.LEASE_MAX);
        return get(weir.claim(NORTH, work, Duration.ofSeconds(20)));
    }

    private static List<ClaimWork.ServedModule> serves(String module) {
        return List.of(new ClaimWork.ServedModule(module, new ConcurrencyProfile(2, false)));
    }

    void report(Assignment work, Update update) throws Exception {
        send(new UpdateStep(work.claim().unit(), work.claim().fence(), update));
    }

    static Update failed(String error) {
        return new Update.Failed(error, true, Update.Failed.NO_RETRY_AFTER, null);
    }

    <A> void send(Command<A> command) throws Exception {
        get(weir.send(NORTH, command));
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }
}
