package dev.weir.server.routes;

import dev.weir.api.Work;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ClaimResult;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.WorkClaim;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.ClaimWork.ServedModule;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.DurationText;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.Permission;
import dev.weir.core.state.UnitId;
import dev.weir.engine.secret.ResolvedInput;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.work.SecretInjection;
import dev.weir.server.http.BatchEntry;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The routes of workers: claims, updates and heartbeats. */
final class WorkerRoutes {
    /** The longest time that a request waits for work. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(20);

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    /** The pause between two attempts to claim chosen steps of a run while a request waits. */
    private static final Duration CLAIM_RETRY_INTERVAL = Duration.ofMillis(250);

    private static final int MICROS_PER_MILLI = 1_000;

    private final EngineGateway engine;
    private final RunSnapshots snapshots;
    private final SecretSource secrets;

    WorkerRoutes(EngineGateway engine, SecretSource secrets) {
        this.engine = engine;
        this.snapshots = new RunSnapshots(engine);
        this.secrets = secrets;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/claims", Permission.WORK, this::claim);
        routing.route(Method.POST, "/v1/updates", Permission.WORK, this::update);
        routing.route(Method.POST, "/v1/heartbeats", Permission.WORK, this::heartbeat);
    }

    /** A claim request with every absent value filled in. */
    private record ClaimParameters(String request, String worker, int limit, long lease, Duration waitTime) {
        /** @param hasReports true if reports come with the request, whose outcomes must not wait for work */
        static ClaimParameters of(ClaimRequest body, boolean hasReports) {
            Duration wait = body.waitTime() == null ? Duration.ZERO : Request.parseDuration("/wait", body.waitTime());
            if (wait.compareTo(WAIT_MAX) > 0) {
                throw RefusedRequest.invalid("/wait", "at most 20s", String.valueOf(body.waitTime()));
            }
            Duration lease = body.lease() == null ? DEFAULT_LEASE : Request.parseDuration("/lease", body.lease());
            long micros = Moment.micros(lease.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : lease);
            if (micros < ClaimWork.LEASE_MIN || micros > ClaimWork.LEASE_MAX) {
                throw RefusedRequest.invalid("/lease", "from 5s to 1h", String.valueOf(body.lease()));
            }
            String request = body.requestId();
            String worker = body.worker();
            return new ClaimParameters(
                    request == null ? UUID.randomUUID().toString() : request,
                    worker == null ? "unnamed" : worker,
                    body.limitOrDefault(),
                    micros,
                    hasReports ? Duration.ZERO : wait);
        }
    }

    private Response claim(Request request) throws Exception {
        var sent = request.allowQueries().bodyWithEntries(ClaimRequest.class, "updates", Work.ModuleStatusUpdate.class);
        ClaimRequest body = sent.body();
        ClaimParameters parameters = ClaimParameters.of(body, !sent.entries().isEmpty());
        refuseBuiltIn(body.servedModules());
        // The reports go first. They and the claim mostly share a commit.
        var reports = updates(request).send(sent.entries());
        ClaimResult claimed = body.run() == null
                ? claimFromAnyRun(request.org(), body, parameters)
                : claimFromRun(request.org(), body, parameters);
        return Response.ok(
                sent.entries().isEmpty()
                        ? claimed
                        : new ClaimResult(claimed.claims(), claimed.state(), reports.awaitEach(engine)));
    }

    private static void refuseBuiltIn(List<ModuleInfo> modules) {
        for (int i = 0; i < modules.size(); i++) {
            if (BuiltInModule.isBuiltIn(modules.get(i).id())) {
                throw RefusedRequest.invalid(
                        "/modules/" + i,
                        "a module that workers serve (names that begin with weir. are reserved)",
                        "'" + modules.get(i).id() + "'");
            }
        }
    }

    private ClaimResult claimFromAnyRun(String org, ClaimRequest body, ClaimParameters parameters) throws Exception {
        var work = new ClaimWork(
                parameters.request,
                parameters.worker,
                body.servedModules().stream().map(WorkerRoutes::toServedModule).toList(),
                parameters.limit,
                parameters.lease);
        List<Assignment> assignments =
                engine.await(engine.weir().claim(org, work, parameters.waitTime), parameters.waitTime);
        return new ClaimResult(toWorkClaims(org, assignments), null, null);
    }

    private static ServedModule toServedModule(ModuleInfo module) {
        var profile = module.concurrency();
        if (profile == null) {
            return new ServedModule(module.id());
        }
        int slots = profile.slots() == null ? 1 : profile.slots();
        return new ServedModule(module.id(), new ConcurrencyProfile(slots, Boolean.TRUE.equals(profile.exclusive())));
    }

    private ClaimResult claimFromRun(String org, ClaimRequest body, ClaimParameters parameters) throws Exception {
        String run = String.valueOf(body.run());
        List<ServedModule> serves =
                body.servedModules().stream().map(WorkerRoutes::toServedModule).toList();
        var command = new ClaimSteps(
                parameters.request,
                parameters.worker,
                run,
                serves,
                Set.copyOf(body.chosenSteps()),
                parameters.limit,
                parameters.lease);
        long deadline = System.nanoTime() + parameters.waitTime.toNanos();
        while (true) {
            switch (engine.send(org, command)) {
                case ClaimSteps.Answer.NotFound ignored -> {
                    // A run that has ended has nothing to claim, which is not an error.
                    var ended = snapshots.find(org, run).orElseThrow(() -> engine.runNotFound(run));
                    return new ClaimResult(List.of(), ended, null);
                }
                case ClaimSteps.Answer.Claimed claimed -> {
                    if (!claimed.assignments().isEmpty() || System.nanoTime() - deadline >= 0) {
                        List<WorkClaim> claims = toWorkClaims(org, claimed.assignments());
                        return new ClaimResult(claims, snapshots.findAfterCommit(org, run), null);
                    }
                }
            }
            Thread.sleep(CLAIM_RETRY_INTERVAL);
        }
    }

    private List<WorkClaim> toWorkClaims(String org, List<Assignment> assignments) {
        return SecretInjection.resolve(engine.weir(), org, assignments, assignment -> claim(org, assignment));
    }

    private WorkClaim claim(String org, Assignment assignment) {
        var claim = assignment.claim();
        var input = ResolvedInput.of(assignment.input(), org, secrets).input();
        return new WorkClaim(
                claim.unit().run(),
                claim.unit().step(),
                WireWords.item(claim.unit().item()),
                claim.limitNeeds().module(),
                claim.fence(),
                assignment.attempt(),
                assignment.effect(),
                input,
                assignment.provided(),
                DurationText.format(Duration.of(claim.lease(), ChronoUnit.MICROS)));
    }

    /** Returns the batch that applies the reports of a request. */
    private BatchRequest<Work.ModuleStatusUpdate, UpdateStep.Answer, Work.UpdateResult> updates(Request request) {
        Attribution by = request.attribution();
        return new BatchRequest<>(
                (entry, at) -> engine.weir()
                        .send(
                                request.org(),
                                new UpdateStep(
                                        unit(entry.run(), entry.step(), entry.item(), at),
                                        entry.fence(),
                                        UpdateReader.of(entry, at)),
                                by),
                (entry, answer) -> new Work.UpdateResult(
                        entry.run(), entry.step(), entry.item(), entry.fence(), WireWords.of(answer), null),
                (entry, why) -> new Work.UpdateResult(
                        entry.textField("run"),
                        entry.textField("step"),
                        entry.item(),
                        entry.fence(),
                        Work.REFUSED,
                        why));
    }

    private Response update(Request request) throws Exception {
        boolean wantsSnapshot = request.allowQueries("snapshot").booleanQuery("snapshot", true);
        var entries = request.entries("updates", Work.ModuleStatusUpdate.class);
        List<Work.UpdateResult> results = updates(request).execute(engine, entries);
        String run = wantsSnapshot ? commonRun(results) : null;
        return Response.ok(
                new Work.UpdateResults(results, run == null ? null : snapshots.findAfterCommit(request.org(), run)));
    }

    /** Returns the run that all results concern, or null if there are several. */
    private static @Nullable String commonRun(List<Work.UpdateResult> results) {
        String run = results.getFirst().run();
        return results.stream().allMatch(result -> Objects.equals(result.run(), run)) ? run : null;
    }

    private Response heartbeat(Request request) throws Exception {
        var batch = new BatchRequest<Work.Heartbeat, Heartbeat.Answer, Work.HeartbeatResult>(
                (entry, at) -> engine.weir()
                        .send(
                                request.org(),
                                new Heartbeat(unit(entry.run(), entry.step(), entry.item(), at), entry.fence())),
                WorkerRoutes::result,
                WorkerRoutes::refusedResult);
        var entries = request.allowQueries().entries("heartbeats", Work.Heartbeat.class);
        return Response.ok(new Work.HeartbeatResults(batch.execute(engine, entries)));
    }

    private static Work.HeartbeatResult refusedResult(BatchEntry<Work.Heartbeat> entry, String why) {
        return new Work.HeartbeatResult(
                entry.textField("run"),
                entry.textField("step"),
                entry.item(),
                entry.fence(),
                Work.REFUSED,
                null,
                null,
                why);
    }

    private static Work.HeartbeatResult result(Work.Heartbeat entry, Heartbeat.Answer answer) {
        return switch (answer) {
            case Heartbeat.Answer.Extended extended ->
                new Work.HeartbeatResult(
                        entry.run(),
                        entry.step(),
                        entry.item(),
                        entry.fence(),
                        "extended",
                        extended.remaining() / MICROS_PER_MILLI,
                        extended.cancelRequested(),
                        null);
            case Heartbeat.Answer.ClaimLost ignored ->
                new Work.HeartbeatResult(
                        entry.run(), entry.step(), entry.item(), entry.fence(), "claim_lost", null, null, null);
        };
    }

    private static UnitId unit(String run, String step, @Nullable Integer item, String at) {
        if (item != null && item < 0) {
            throw RefusedRequest.invalid(at + "/item", "an index of at least 0", item.toString());
        }
        return new UnitId(run, step, item == null ? UnitId.NO_ITEM : item);
    }
}
