package dev.weir.client;

import static dev.weir.client.Transport.Sent.get;
import static dev.weir.client.Transport.Sent.json;

import dev.weir.api.Health;
import dev.weir.api.Invalid;
import dev.weir.api.Keys;
import dev.weir.api.Logs;
import dev.weir.api.Runs;
import dev.weir.api.Starts;
import dev.weir.api.Times;
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
 * Asks a server of Weir. Every method waits for the answer, repeats the request while the server cannot be reached, and
 * throws a {@link RequestFailed} if it gets none or is refused. Safe for many threads.
 */
public final class Client {
    private static final String YAML = "application/yaml";

    private final Transport transport;

    public Client(Connection connection) {
        this.transport = new Transport(connection);
    }

    /** Registers a workflow, in YAML or JSON. */
    public Workflows.Applied apply(String name, String definition) throws InterruptedException {
        return transport.ask(
                new Transport.Sent("PUT", "/v1/workflows/" + encoded(name), definition, YAML), Workflows.Applied.class);
    }

    /** Checks a workflow without registering it; tells its name. */
    public Workflows.Valid validate(String definition) throws InterruptedException {
        return transport.ask(
                new Transport.Sent("POST", "/v1/workflows/validate", definition, YAML), Workflows.Valid.class);
    }

    public Workflows.WorkflowPage workflows(@Nullable String cursor) throws InterruptedException {
        return transport.ask(get("/v1/workflows" + query("cursor", cursor)), Workflows.WorkflowPage.class);
    }

    /** Starts a run. It gets an id here if it has none, so that a repeated request starts no second one. */
    public Starts.StartedRun start(Starts.StartRun run) throws InterruptedException {
        return transport.ask(json("POST", "/v1/runs", withId(run)), Starts.StartedRun.class);
    }

    public Starts.StartResults startAll(Starts.StartRuns runs) throws InterruptedException {
        var named =
                new Starts.StartRuns(runs.runs().stream().map(Client::withId).toList());
        return transport.ask(json("POST", "/v1/runs/batch", named), Starts.StartResults.class);
    }

    private static Starts.StartRun withId(Starts.StartRun run) {
        return run.id() != null
                ? run
                : new Starts.StartRun(
                        run.workflow(),
                        "run-" + UUID.randomUUID(),
                        run.input(),
                        run.priority(),
                        run.flowControl(),
                        run.labels(),
                        run.delay(),
                        run.targets());
    }

    /** Starts that programs have left in their own transactions and that could not be carried out, newest first. */
    public Starts.RefusedStartPage refusedStarts(@Nullable String cursor) throws InterruptedException {
        return transport.ask(get("/v1/refused-starts" + query("cursor", cursor)), Starts.RefusedStartPage.class);
    }

    public Runs.RunView run(String run) throws InterruptedException {
        return transport.ask(get(runPath(run)), Runs.RunView.class);
    }

    /**
     * Runs, newest first; the filter's names are those of the API: state, workflow, label, cursor, limit. A page may be
     * short, or empty, and still have a cursor: the server looks at so many runs for one page, and then asks to be asked on.
     */
    public Runs.RunPage runs(Map<String, String> filter) throws InterruptedException {
        return transport.ask(get("/v1/runs" + query(filter)), Runs.RunPage.class);
    }

    public Runs.StepList steps(String run) throws InterruptedException {
        return transport.ask(get(runPath(run) + "/steps"), Runs.StepList.class);
    }

    public Runs.ItemPage items(String run, String step, @Nullable String cursor) throws InterruptedException {
        return transport.ask(get(stepPath(run, step) + "/items" + query("cursor", cursor)), Runs.ItemPage.class);
    }

    /** Why a run does not start. */
    public Why.WhyAnswer why(String run) throws InterruptedException {
        return transport.ask(get(runPath(run) + "/why"), Why.WhyAnswer.class);
    }

    /** Where the time of a run that has ended went. */
    public Times.RunTime time(String run) throws InterruptedException {
        return transport.ask(get(runPath(run) + "/time"), Times.RunTime.class);
    }

    /** Why a step, or an item of it, does not start. */
    public Why.WhyAnswer why(String run, String step, @Nullable Integer item) throws InterruptedException {
        String which = query("item", item == null ? null : item.toString());
        return transport.ask(get(stepPath(run, step) + "/why" + which), Why.WhyAnswer.class);
    }

    public Runs.RunAction cancel(String run, Runs.CancelRequest request) throws InterruptedException {
        return transport.ask(json("POST", runPath(run) + "/cancel", request), Runs.RunAction.class);
    }

    public Runs.RunAction pause(String run) throws InterruptedException {
        return transport.ask(json("POST", runPath(run) + "/pause", null), Runs.RunAction.class);
    }

    public Runs.RunAction resume(String run) throws InterruptedException {
        return transport.ask(json("POST", runPath(run) + "/resume", null), Runs.RunAction.class);
    }

    /** Tries a run again that failed or was cancelled; the same again gives the same new run. */
    public Starts.StartedRun retry(String run, Starts.RetryRequest request) throws InterruptedException {
        return transport.ask(json("POST", runPath(run) + "/retry", request), Starts.StartedRun.class);
    }

    /** Gives a run that has a deadline more time, counted from now, such as 2h. */
    public Runs.RunAction extend(String run, String in) throws InterruptedException {
        return transport.ask(
                json("PUT", runPath(run) + "/deadline", new Runs.DeadlineRequest(in)), Runs.RunAction.class);
    }

    public Runs.RunAction override(String run, Runs.Overrides overrides) throws InterruptedException {
        return transport.ask(json("PUT", runPath(run) + "/overrides", overrides), Runs.RunAction.class);
    }

    public Runs.StepAction approve(String run, String step, Runs.GateRequest request) throws InterruptedException {
        return transport.ask(json("POST", stepPath(run, step) + "/approve", request), Runs.StepAction.class);
    }

    /** Takes an approval back, as long as the step has not started. */
    public Runs.StepAction revoke(String run, String step, Runs.GateRequest request) throws InterruptedException {
        return transport.ask(json("POST", stepPath(run, step) + "/revoke", request), Runs.StepAction.class);
    }

    public Runs.StepAction skip(String run, String step) throws InterruptedException {
        return transport.ask(json("POST", stepPath(run, step) + "/skip", null), Runs.StepAction.class);
    }

    /** Gives a step the input that it needs. */
    public Runs.StepAction provide(String run, String step, @Nullable Integer item, JsonNode input)
            throws InterruptedException {
        var body = new Runs.InputRequest(item, input);
        return transport.ask(json("POST", stepPath(run, step) + "/input", body), Runs.StepAction.class);
    }

    /** Gives up a step that needs input. */
    public Runs.StepAction abandon(String run, String step, Runs.AbandonRequest request) throws InterruptedException {
        return transport.ask(json("POST", stepPath(run, step) + "/abandon", request), Runs.StepAction.class);
    }

    /** Mends the input of a run that lacks something. */
    public Runs.RunAction amendInput(String run, JsonNode input) throws InterruptedException {
        return transport.ask(
                json("PUT", runPath(run) + "/input", new Runs.InputRequest(null, input)), Runs.RunAction.class);
    }

    /** Mends the output of a step that does not fit its schema. */
    public Runs.StepAction amendOutput(String run, String step, Runs.OutputRequest request)
            throws InterruptedException {
        return transport.ask(json("PUT", stepPath(run, step) + "/output", request), Runs.StepAction.class);
    }

    /** Sends a signal to a run. It gets an id here, so that a repeated request is no second signal. */
    public Runs.RunAction signal(String run, String name, @Nullable JsonNode payload) throws InterruptedException {
        return signal(run, name, "signal-" + UUID.randomUUID(), payload);
    }

    /** Sends a signal to a run; the same id again is no second signal. */
    public Runs.RunAction signal(String run, String name, String id, @Nullable JsonNode payload)
            throws InterruptedException {
        var body = new Runs.SignalRequest(id, payload);
        return transport.ask(
                json("POST", runPath(run) + "/signals/" + part("signal", name), body), Runs.RunAction.class);
    }

    public Keys.KeyPage keys(String prefix, @Nullable String cursor) throws InterruptedException {
        String more = cursor == null ? "" : "&cursor=" + encoded(cursor);
        return transport.ask(get("/v1/keys?prefix=" + encoded(prefix) + more), Keys.KeyPage.class);
    }

    public Keys.KeyView key(String key) throws InterruptedException {
        return transport.ask(get("/v1/keys" + query("key", key)), Keys.KeyView.class);
    }

    public Keys.KeyWaitlist waitlist(String key) throws InterruptedException {
        return transport.ask(get("/v1/keys/waitlist" + query("key", key)), Keys.KeyWaitlist.class);
    }

    public Keys.KeyHolders holders(String key) throws InterruptedException {
        return transport.ask(get("/v1/keys/holders" + query("key", key)), Keys.KeyHolders.class);
    }

    /** Operates a key: pause, resume, unpin or reset-rate. */
    public Keys.KeyAction operate(String verb, Keys.KeyRequest request) throws InterruptedException {
        return transport.ask(json("POST", "/v1/keys/" + verb, request), Keys.KeyAction.class);
    }

    public Keys.KeyAction pin(Keys.PinRequest request) throws InterruptedException {
        return transport.ask(json("POST", "/v1/keys/pin", request), Keys.KeyAction.class);
    }

    /** Asks for work; with a request id in it, it is safe to ask again after a failure. */
    public Work.ClaimResult claim(Work.ClaimRequest request) throws InterruptedException {
        return transport.ask(json("POST", "/v1/claims", request), Work.ClaimResult.class);
    }

    Work.ClaimResult claim(Work.ClaimRequest request, Duration patience) throws InterruptedException {
        return transport.ask(json("POST", "/v1/claims", request), Work.ClaimResult.class, patience);
    }

    public Work.UpdateResults update(Work.UpdateRequest request) throws InterruptedException {
        return transport.ask(json("POST", "/v1/updates", request), Work.UpdateResults.class);
    }

    Work.UpdateResults update(Work.UpdateRequest request, Duration patience) throws InterruptedException {
        return transport.ask(json("POST", "/v1/updates", request), Work.UpdateResults.class, patience);
    }

    public Work.HeartbeatResults heartbeat(Work.HeartbeatRequest request) throws InterruptedException {
        return transport.ask(json("POST", "/v1/heartbeats", request), Work.HeartbeatResults.class);
    }

    Work.HeartbeatResults heartbeat(Work.HeartbeatRequest request, Duration patience) throws InterruptedException {
        return transport.ask(json("POST", "/v1/heartbeats", request), Work.HeartbeatResults.class, patience);
    }

    /** Keeps what tries say; a piece that is sent again is not kept twice. */
    public Logs.LogResults log(Logs.LogRequest request) throws InterruptedException {
        return transport.ask(json("POST", "/v1/logs", request), Logs.LogResults.class);
    }

    Logs.LogResults log(Logs.LogRequest request, Duration patience) throws InterruptedException {
        return transport.ask(json("POST", "/v1/logs", request), Logs.LogResults.class, patience);
    }

    /** What a try of a step has said; the filter's names are those of the API: item, attempt, after. */
    public Logs.LogView logs(String run, String step, Map<String, String> filter) throws InterruptedException {
        return transport.ask(get(stepPath(run, step) + "/logs" + query(filter)), Logs.LogView.class);
    }

    public Health health() throws InterruptedException {
        return transport.ask(get("/health/ready"), Health.class);
    }

    /** Looks whether what has to be true of what runs now is true. */
    public Health.Invariants invariants() throws InterruptedException {
        return transport.ask(get("/v1/invariants"), Health.Invariants.class);
    }

    private static String runPath(String run) {
        return "/v1/runs/" + part("run", run);
    }

    private static String stepPath(String run, String step) {
        return runPath(run) + "/steps/" + part("step", step);
    }

    private static String query(String name, @Nullable String value) {
        return value == null ? "" : query(Map.of(name, value));
    }

    private static String query(Map<String, String> parameters) {
        var joined = new StringJoiner("&", "?", "").setEmptyValue("");
        parameters.forEach((name, value) -> joined.add(encoded(name) + "=" + encoded(value)));
        return joined.toString();
    }

    /** A part of a path; without it, or with one that means a folder, the path would be another. */
    private static String part(String what, String text) {
        if (text.isBlank() || text.equals(".") || text.equals("..")) {
            throw new Invalid(what, "an id", "'" + text + "'");
        }
        return encoded(text);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
