package dev.weir.client;

import static dev.weir.client.Transport.ApiRequest.get;
import static dev.weir.client.Transport.ApiRequest.json;

import dev.weir.api.Health;
import dev.weir.api.InvalidValue;
import dev.weir.api.Keys;
import dev.weir.api.Logs;
import dev.weir.api.Runs;
import dev.weir.api.Starts;
import dev.weir.api.Times;
import dev.weir.api.Triggers;
import dev.weir.api.Why;
import dev.weir.api.Work;
import dev.weir.api.Workflows;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client of Weir's HTTP API. Every method waits for the response, repeats the request while the server cannot be
 * reached, and throws a {@link RequestFailed} if there is no response or the server refuses. Safe for use by many
 * threads.
 */
public final class Client {
    private static final String YAML = "application/yaml";

    /** The longest time for which the server answers a waiting request. */
    private static final Duration LONG_POLL = Duration.ofSeconds(20);

    private final Connection connection;
    private final Transport transport;

    public Client(Connection connection) {
        this.connection = connection;
        this.transport = new Transport(connection);
    }

    /** Returns a client of the server at this address, such as http://127.0.0.1:7077. */
    public static Client connect(String url, String token) {
        return new Client(Connection.to(url, token));
    }

    /** Returns a client with the address in {@code WEIR_URL} and the API token in {@code WEIR_TOKEN}. */
    public static Client fromEnvironment() {
        return new Client(Connection.from(System.getenv()));
    }

    /** Registers a workflow, in YAML or JSON. */
    public Workflows.Applied apply(String name, String definition) throws InterruptedException {
        return transport.send(
                new Transport.ApiRequest("PUT", "/v1/workflows/" + encode(name), definition, YAML),
                Workflows.Applied.class);
    }

    /** Checks a workflow without registering it, and returns its name. */
    public Workflows.Valid validate(String definition) throws InterruptedException {
        return transport.send(
                new Transport.ApiRequest("POST", "/v1/workflows/validate", definition, YAML), Workflows.Valid.class);
    }

    public Workflows.WorkflowPage workflows(@Nullable String cursor) throws InterruptedException {
        return transport.send(get("/v1/workflows" + query("cursor", cursor)), Workflows.WorkflowPage.class);
    }

    /** Starts a run. The client generates an id if the request has none, so that a repeat starts no second run. */
    public Starts.StartedRun start(Starts.StartRunRequest run) throws InterruptedException {
        return transport.send(json("POST", "/v1/runs", withId(run)), Starts.StartedRun.class);
    }

    /**
     * Makes one HTTP call under limits, or starts a workflow. The client generates an id if the request has none, so
     * that a repeated request does not call twice.
     */
    public Starts.StartedRun trigger(Triggers.TriggerRequest request) throws InterruptedException {
        var withId = request.id() != null ? request : request.withId("trigger-" + UUID.randomUUID());
        return transport.send(json("POST", "/v1/trigger", withId), Starts.StartedRun.class);
    }

    /**
     * Starts a run.
     *
     * @param id the id of the run; null = the client generates one
     * @param input the input: a record, a map or another value that can be written as JSON; null = an empty object
     */
    public Starts.StartedRun start(String workflow, @Nullable String id, @Nullable Object input)
            throws InterruptedException {
        return start(Starts.StartRunRequest.of(workflow, id, PayloadJson.toTree(input)));
    }

    public Starts.StartResults startAll(Starts.StartRuns runs) throws InterruptedException {
        var withIds =
                new Starts.StartRuns(runs.runs().stream().map(Client::withId).toList());
        return transport.send(json("POST", "/v1/runs/batch", withIds), Starts.StartResults.class);
    }

    static Starts.StartRunRequest withId(Starts.StartRunRequest run) {
        return run.id() != null
                ? run
                : new Starts.StartRunRequest(
                        run.workflow(),
                        "run-" + UUID.randomUUID(),
                        run.input(),
                        run.priority(),
                        run.flowControl(),
                        run.labels(),
                        run.delay(),
                        run.targets());
    }

    public Runs.RunView run(String run) throws InterruptedException {
        return transport.send(get(runPath(run)), Runs.RunView.class);
    }

    /**
     * Waits for the end of a run, also while the server restarts. Returns the run as it is when it has ended, or when
     * the time is over.
     *
     * @param timeout the longest time to wait; absent = as long as it takes
     */
    public Runs.RunView awaitEnd(String run, @Nullable Duration timeout) throws InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            Duration left = timeout == null ? LONG_POLL : timeout.minusNanos(System.nanoTime() - begun);
            long millis = Math.max(0, Math.min(left.toMillis(), LONG_POLL.toMillis()));
            Runs.RunView view = transport.send(get(runPath(run) + query("wait", millis + "ms")), Runs.RunView.class);
            boolean isOver = timeout != null
                    && timeout.minusNanos(System.nanoTime() - begun).isNegative();
            if (view.endedAt() != null || isOver) {
                return view;
            }
        }
    }

    /**
     * Lists runs, newest first. The filter uses the API's parameter names: state, workflow, key, label, cursor, limit. A
     * page may be short, or empty, and still have a cursor, because the server examines a limited number of runs
     * per page.
     */
    public Runs.RunPage runs(Map<String, String> filter) throws InterruptedException {
        return transport.send(get("/v1/runs" + query(filter)), Runs.RunPage.class);
    }

    public Runs.StepList steps(String run) throws InterruptedException {
        return transport.send(get(runPath(run) + "/steps"), Runs.StepList.class);
    }

    public Runs.ItemPage items(String run, String step, @Nullable String cursor) throws InterruptedException {
        return transport.send(get(stepPath(run, step) + "/items" + query("cursor", cursor)), Runs.ItemPage.class);
    }

    /** Returns the reasons that keep a run from starting. */
    public Why.WhyAnswer why(String run) throws InterruptedException {
        return transport.send(get(runPath(run) + "/why"), Why.WhyAnswer.class);
    }

    /** Returns the breakdown of the time of a run that has ended. */
    public Times.RunTime time(String run) throws InterruptedException {
        return transport.send(get(runPath(run) + "/time"), Times.RunTime.class);
    }

    /** Returns the reasons that keep a step, or an item of it, from starting. */
    public Why.WhyAnswer why(String run, String step, @Nullable Integer item) throws InterruptedException {
        String which = query("item", item == null ? null : item.toString());
        return transport.send(get(stepPath(run, step) + "/why" + which), Why.WhyAnswer.class);
    }

    public Runs.RunAction cancel(String run, Runs.CancelRequest request) throws InterruptedException {
        return transport.send(json("POST", runPath(run) + "/cancel", request), Runs.RunAction.class);
    }

    public Runs.RunAction pause(String run) throws InterruptedException {
        return transport.send(json("POST", runPath(run) + "/pause", null), Runs.RunAction.class);
    }

    public Runs.RunAction resume(String run) throws InterruptedException {
        return transport.send(json("POST", runPath(run) + "/resume", null), Runs.RunAction.class);
    }

    /** Retries a run that failed or was cancelled. A repeated request returns the same new run. */
    public Starts.StartedRun retry(String run, Starts.RetryRequest request) throws InterruptedException {
        return transport.send(json("POST", runPath(run) + "/retry", request), Starts.StartedRun.class);
    }

    /** Moves the deadline of a run that has one. The new time limit counts from now, such as 2h. */
    public Runs.RunAction extend(String run, String in) throws InterruptedException {
        return transport.send(
                json("PUT", runPath(run) + "/deadline", new Runs.DeadlineRequest(in)), Runs.RunAction.class);
    }

    /** Replaces an operator's values for a run. Values that are left out are cleared. */
    public Runs.RunAction override(String run, Runs.OverrideRequest values) throws InterruptedException {
        return transport.send(json("PUT", runPath(run) + "/overrides", values), Runs.RunAction.class);
    }

    /** Changes an operator's values for a run. Values that are left out stay. */
    public Runs.RunAction changeOverrides(String run, Runs.OverrideRequest values) throws InterruptedException {
        return transport.send(json("PATCH", runPath(run) + "/overrides", values), Runs.RunAction.class);
    }

    public Runs.StepAction approve(String run, String step, Runs.GateRequest request) throws InterruptedException {
        return transport.send(json("POST", stepPath(run, step) + "/approve", request), Runs.StepAction.class);
    }

    /** Revokes an approval, as long as the step has not started. */
    public Runs.StepAction revoke(String run, String step, Runs.GateRequest request) throws InterruptedException {
        return transport.send(json("POST", stepPath(run, step) + "/revoke", request), Runs.StepAction.class);
    }

    public Runs.StepAction skip(String run, String step) throws InterruptedException {
        return transport.send(json("POST", stepPath(run, step) + "/skip", null), Runs.StepAction.class);
    }

    /** Provides the input that a step needs. */
    public Runs.StepAction provide(String run, String step, @Nullable Integer item, JsonNode input)
            throws InterruptedException {
        var body = new Runs.InputRequest(item, input);
        return transport.send(json("POST", stepPath(run, step) + "/input", body), Runs.StepAction.class);
    }

    /** Gives up a step that needs input. */
    public Runs.StepAction abandon(String run, String step, Runs.AbandonRequest request) throws InterruptedException {
        return transport.send(json("POST", stepPath(run, step) + "/abandon", request), Runs.StepAction.class);
    }

    /** Corrects the input of a run that lacks data. */
    public Runs.RunAction amendInput(String run, JsonNode input) throws InterruptedException {
        return transport.send(
                json("PUT", runPath(run) + "/input", new Runs.InputRequest(null, input)), Runs.RunAction.class);
    }

    /** Corrects the output of a step that does not match its schema. */
    public Runs.StepAction amendOutput(String run, String step, Runs.OutputRequest request)
            throws InterruptedException {
        return transport.send(json("PUT", stepPath(run, step) + "/output", request), Runs.StepAction.class);
    }

    /** Sends a signal to a run. The client generates an id, so that a repeated request is not a second signal. */
    public Runs.RunAction signal(String run, String name, @Nullable JsonNode payload) throws InterruptedException {
        return signal(run, name, "signal-" + UUID.randomUUID(), payload);
    }

    /** Sends a signal to a run. A repeated id is not a second signal. */
    public Runs.RunAction signal(String run, String name, String id, @Nullable JsonNode payload)
            throws InterruptedException {
        var body = new Runs.SignalRequest(id, payload);
        return transport.send(
                json("POST", runPath(run) + "/signals/" + pathSegment("signal", name), body), Runs.RunAction.class);
    }

    public Keys.KeyPage keys(String prefix, @Nullable String cursor) throws InterruptedException {
        String more = cursor == null ? "" : "&cursor=" + encode(cursor);
        return transport.send(get("/v1/keys?prefix=" + encode(prefix) + more), Keys.KeyPage.class);
    }

    /**
     * Lists keys. The filter uses the API's parameter names: prefix, sort (name, fullest, waiting or oldest), cursor,
     * limit.
     */
    public Keys.KeyPage keys(Map<String, String> filter) throws InterruptedException {
        return transport.send(get("/v1/keys" + query(filter)), Keys.KeyPage.class);
    }

    public Keys.KeyView key(String key) throws InterruptedException {
        return transport.send(get("/v1/keys" + query("key", key)), Keys.KeyView.class);
    }

    public Keys.KeyWaitlist waitlist(String key) throws InterruptedException {
        return transport.send(get("/v1/keys/waitlist" + query("key", key)), Keys.KeyWaitlist.class);
    }

    public Keys.KeyHolders holders(String key) throws InterruptedException {
        return transport.send(get("/v1/keys/holders" + query("key", key)), Keys.KeyHolders.class);
    }

    /** Follows changes of runs, steps and keys. The stream resumes by itself; close it when it is no longer needed. */
    public LiveStream stream(StreamFilter filter) throws InterruptedException {
        return LiveStream.open(connection, filter);
    }

    /** Carries out an operator's action on a key: pause, resume, unpin or reset-rate. */
    public Keys.KeyAction operate(String verb, Keys.KeyRequest request) throws InterruptedException {
        return transport.send(json("POST", "/v1/keys/" + verb, request), Keys.KeyAction.class);
    }

    public Keys.KeyAction pin(Keys.PinRequest request) throws InterruptedException {
        return transport.send(json("POST", "/v1/keys/pin", request), Keys.KeyAction.class);
    }

    /** Asks for work. A request with a request id can be repeated safely after a failure. */
    public Work.ClaimResult claim(Work.ClaimRequest request) throws InterruptedException {
        return transport.send(json("POST", "/v1/claims", request), Work.ClaimResult.class);
    }

    /**
     * Reports results. The server refuses an invalid report that is alone; among others it gets the outcome
     * refused.
     */
    public Work.UpdateResults update(Work.UpdateRequest request) throws InterruptedException {
        return transport.send(json("POST", "/v1/updates", request), Work.UpdateResults.class);
    }

    public Work.HeartbeatResults heartbeat(Work.HeartbeatRequest request) throws InterruptedException {
        return transport.send(json("POST", "/v1/heartbeats", request), Work.HeartbeatResults.class);
    }

    /** Stores logs of attempts. A chunk that is sent again is not stored twice. */
    public Logs.LogResults log(Logs.LogRequest request) throws InterruptedException {
        return transport.send(json("POST", "/v1/logs", request), Logs.LogResults.class);
    }

    Logs.LogResults log(Logs.LogRequest request, Duration retryTimeout) throws InterruptedException {
        return transport.send(json("POST", "/v1/logs", request), Logs.LogResults.class, retryTimeout);
    }

    /** Sends a request whose body is JSON already, and repeats it while the server cannot be reached. */
    <T> T sendText(String path, String body, Class<T> type) throws InterruptedException {
        return transport.send(new Transport.ApiRequest("POST", path, body, Transport.JSON), type);
    }

    /** Sends a request of a worker, which repeats it itself. */
    <T> T sendOnce(String path, String body, Class<T> type) throws InterruptedException {
        return transport.send(new Transport.ApiRequest("POST", path, body, Transport.JSON), type, Duration.ZERO);
    }

    /** Returns a starter for programs that start many runs: it sends those that are ready in one request. */
    public RunStarter starter() {
        return new RunStarter(this);
    }

    /** Lists logs of attempts, newest run first. The filter uses the API's parameter names: key, cursor, limit. */
    public Logs.LogPage logs(Map<String, String> filter) throws InterruptedException {
        return transport.send(get("/v1/logs" + query(filter)), Logs.LogPage.class);
    }

    /** Returns the log of an attempt of a step. The filter uses the API's parameter names: item, attempt, after. */
    public Logs.LogView logs(String run, String step, Map<String, String> filter) throws InterruptedException {
        return transport.send(get(stepPath(run, step) + "/logs" + query(filter)), Logs.LogView.class);
    }

    /** The limits of workflows, operations on many runs, and what modules and workers do. */
    public Operations operations() {
        return new Operations(transport);
    }

    /** The API tokens of the organisation, and who made which change in it. */
    public Governance governance() {
        return new Governance(transport);
    }

    /** Events and schedules. */
    public EventClient events() {
        return new EventClient(transport);
    }

    public Health health() throws InterruptedException {
        return transport.send(get("/health/ready"), Health.class);
    }

    /** Checks the server's invariants on everything that runs now. */
    public Health.Invariants invariants() throws InterruptedException {
        return transport.send(get("/v1/invariants"), Health.Invariants.class);
    }

    private static String runPath(String run) {
        return "/v1/runs/" + pathSegment("run", run);
    }

    static String stepPath(String run, String step) {
        return runPath(run) + "/steps/" + pathSegment("step", step);
    }

    static String query(String name, @Nullable String value) {
        return value == null ? "" : query(Map.of(name, value));
    }

    static String query(Map<String, String> parameters) {
        var joined = new StringJoiner("&", "?", "").setEmptyValue("");
        parameters.forEach((name, value) -> joined.add(encode(name) + "=" + encode(value)));
        return joined.toString();
    }

    /** Encodes a part of a path. It refuses an empty part, "." and "..", which would lead to another path. */
    static String pathSegment(String what, String text) {
        if (text.isBlank() || text.equals(".") || text.equals("..")) {
            throw new InvalidValue(what, "an id", "'" + text + "'");
        }
        return encode(text);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
