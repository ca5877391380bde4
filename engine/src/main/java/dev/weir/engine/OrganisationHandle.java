package dev.weir.engine;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.AttemptLog;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.request.StateQuery;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.secret.ResolvedInput;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.work.ClaimRequest;
import dev.weir.engine.work.ClaimResult;
import dev.weir.engine.work.EngineState;
import dev.weir.engine.work.ModuleHandler;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.engine.work.RuntimeOverrides;
import dev.weir.engine.work.SecretInjection;
import dev.weir.engine.work.UpdateRequest;
import dev.weir.engine.work.WorkClaim;
import dev.weir.engine.work.WorkerLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One organisation, for Java programs. Every method waits for its answer, which arrives after the commit. It throws
 * {@link Unavailable} if the caller can safely ask again, and {@link CommandFailed} if a repeat would fail too.
 */
public final class OrganisationHandle {
    private static final String WORKER = "this process";

    private final Weir weir;
    private final String name;
    private final SecretSource secrets;

    OrganisationHandle(Weir weir, String name, SecretSource secrets) {
        this.weir = weir;
        this.name = name;
        this.secrets = secrets;
    }

    public RegisterWorkflow.Answer register(Workflow workflow) {
        return send(new RegisterWorkflow(workflow));
    }

    public StartOutcome start(StartRequest request) {
        return await(weir.start(name, request));
    }

    /** Starts several runs, at hardly more cost than one. */
    public List<StartOutcome> start(List<StartRequest> requests) {
        return requests.stream().map(request -> weir.start(name, request)).toList().stream()
                .map(OrganisationHandle::await)
                .toList();
    }

    /** Retries a failed or cancelled run from the steps that it has not completed. */
    public RetryOutcome retry(String run) {
        return await(weir.retry(name, run, RetryRun.nextRetryId(run)));
    }

    /** Claims work. A step with an unknown secret fails, and is left out of the result. */
    public ClaimResult claim(ClaimRequest request) {
        String run = request.run();
        String id = UUID.randomUUID().toString();
        long lease = Moment.micros(request.lease());
        var serves = request.modules().stream()
                .map(module -> new ClaimWork.ServedModule(module.id(), module.profile()))
                .toList();
        if (run == null) {
            var work = new ClaimWork(id, WORKER, serves, request.limit(), lease);
            return new ClaimResult(resolveSecrets(await(weir.claim(name, work, request.waitFor()))), null);
        }
        return switch (send(new ClaimSteps(id, WORKER, run, serves, request.steps(), request.limit(), lease))) {
            case ClaimSteps.Answer.Claimed claimed ->
                new ClaimResult(
                        resolveSecrets(claimed.assignments()), new EngineState(claimed.state(), claimed.running()));
            case ClaimSteps.Answer.NotFound ignored -> new ClaimResult(List.of(), null);
        };
    }

    private List<WorkClaim> resolveSecrets(List<Assignment> assignments) {
        return SecretInjection.resolve(weir, name, assignments, this::resolveSecrets);
    }

    private WorkClaim resolveSecrets(Assignment assignment) {
        Claim claim = assignment.claim();
        ResolvedInput resolved = ResolvedInput.of(assignment.input(), name, secrets);
        return new WorkClaim(
                claim.unit(),
                claim.fence(),
                claim.limitNeeds().module(),
                assignment.attempt(),
                assignment.effect(),
                Duration.ofNanos(claim.lease() * 1_000),
                resolved.input(),
                assignment.provided(),
                new AttemptLog(weir.records().logs(), name, claim.unit(), claim.fence(), resolved.redactor()));
    }

    /** Sends reports. Each has its own answer, in the same order. */
    public List<UpdateStep.Answer> update(UpdateRequest request) {
        List<CompletableFuture<UpdateStep.Answer>> answers = new ArrayList<>();
        request.updates()
                .forEach(update ->
                        answers.add(weir.send(name, new UpdateStep(update.unit(), update.fence(), update.update()))));
        return answers.stream().map(OrganisationHandle::await).toList();
    }

    public Heartbeat.Answer heartbeat(WorkClaim claim) {
        return send(new Heartbeat(claim.unit(), claim.fence()));
    }

    /** Starts a worker in this process for a module, with so many claims at once. It works until it is closed. */
    public WorkerLoop serve(ModuleInfo module, int concurrency, ModuleHandler handler) {
        var job = new WorkerLoop.HandlerSettings(
                module, ClaimRequest.DEFAULT_LEASE, concurrency, handler, this::resolveSecrets);
        return new WorkerLoop(weir, name, job);
    }

    /** Sets an operator's overrides of a run's own limits; null = the values of the definition. */
    public OverrideRun.Answer override(String run, @Nullable RuntimeOverrides values) {
        return send(
                values == null
                        ? OverrideRun.replacing(run, null, null)
                        : OverrideRun.replacing(run, values.maxConcurrentSteps(), values.maxParallel()));
    }

    public CancelRun.Answer cancel(String run, String reason) {
        return send(new CancelRun(run, null, reason));
    }

    public PauseRun.Answer pause(String run) {
        return send(new PauseRun(run));
    }

    public ResumeRun.Answer resume(String run) {
        return send(new ResumeRun(run));
    }

    public SkipStep.Answer skip(String run, String step) {
        return send(new SkipStep(run, step));
    }

    public ApproveStep.Answer approve(String run, String step, String by) {
        return send(new ApproveStep(run, step, by, null));
    }

    /** The reason why a waiting step or item does not start; absent if it does not wait for a limit. */
    public Optional<Explanation> why(UnitId unit) {
        return query((org, now) -> org.why(unit, now));
    }

    /** The reason why a queued run does not start. */
    public Optional<Explanation> why(String run) {
        return query((org, now) -> org.why(run, now));
    }

    /** Queries the organisation's state in memory. */
    public <T> T query(StateQuery<T> query) {
        return await(weir.query(name, query));
    }

    /** All known shared limits, ordered by id. */
    public List<LimitSnapshot> limits() {
        return query((org, now) -> org.limits(now));
    }

    private <A> A send(Command<A> command) {
        return await(weir.send(name, command));
    }

    private static <A> A await(CompletableFuture<A> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Unavailable unavailable) {
                throw unavailable;
            }
            if (e.getCause() instanceof CommandFailed failed) {
                throw failed;
            }
            throw e;
        }
    }
}
