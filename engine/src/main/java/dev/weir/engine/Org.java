package dev.weir.engine;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitView;
import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.Workflow;
import dev.weir.core.life.ApproveStep;
import dev.weir.core.life.Assignment;
import dev.weir.core.life.CancelRun;
import dev.weir.core.life.Claim;
import dev.weir.core.life.ClaimSteps;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.OverrideRun;
import dev.weir.core.life.PauseRun;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.life.ResumeRun;
import dev.weir.core.life.RetryRun;
import dev.weir.core.life.SkipStep;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.engine.call.Revealed;
import dev.weir.engine.call.Secrets;
import dev.weir.engine.log.StepLog;
import dev.weir.engine.work.ClaimRequest;
import dev.weir.engine.work.ClaimResult;
import dev.weir.engine.work.EngineState;
import dev.weir.engine.work.Handler;
import dev.weir.engine.work.Handout;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.engine.work.RuntimeOverrides;
import dev.weir.engine.work.Serving;
import dev.weir.engine.work.UpdateRequest;
import dev.weir.engine.work.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One organisation, for Java programs. Every method waits for its answer, which is given after the commit; it throws
 * {@link Unavailable} if it is safe to ask again, and {@link CommandFailed} if that would be in vain.
 */
public final class Org {
    private static final String WORKER = "this process";

    private final Weir weir;
    private final String name;
    private final Secrets secrets;

    Org(Weir weir, String name, Secrets secrets) {
        this.weir = weir;
        this.name = name;
        this.secrets = secrets;
    }

    public RegisterWorkflow.Answer register(Workflow workflow) {
        return send(new RegisterWorkflow(workflow));
    }

    public StartAnswer start(StartRequest request) {
        return await(weir.start(name, request));
    }

    /** Starts several runs, which cost hardly more than one. */
    public List<StartAnswer> start(List<StartRequest> requests) {
        return requests.stream().map(request -> weir.start(name, request)).toList().stream()
                .map(Org::await)
                .toList();
    }

    /** Tries a run again that has failed or was cancelled, from the steps on that it has not completed. */
    public RetryAnswer retry(String run) {
        return await(weir.retry(name, run, RetryRun.idAfter(run)));
    }

    /** Claims work. A step whose secret is not known fails, and is left out. */
    public ClaimResult claim(ClaimRequest request) {
        String run = request.run();
        String id = UUID.randomUUID().toString();
        long lease = Moment.micros(request.lease());
        var serves = request.modules().stream()
                .map(module -> new ClaimWork.Serves(module.id(), module.profile()))
                .toList();
        if (run == null) {
            var work = new ClaimWork(id, WORKER, serves, request.limit(), lease);
            return new ClaimResult(opened(await(weir.claim(name, work, request.waitFor()))), null);
        }
        return switch (send(new ClaimSteps(id, WORKER, run, serves, request.steps(), request.limit(), lease))) {
            case ClaimSteps.Answer.Claimed claimed ->
                new ClaimResult(opened(claimed.assignments()), new EngineState(claimed.state(), claimed.running()));
            case ClaimSteps.Answer.NotFound ignored -> new ClaimResult(List.of(), null);
        };
    }

    private List<WorkClaim> opened(List<Assignment> assignments) {
        return Handout.of(weir, name, assignments, this::opened);
    }

    private WorkClaim opened(Assignment assignment) {
        Claim claim = assignment.claim();
        Revealed revealed = Revealed.of(assignment.input(), name, secrets);
        return new WorkClaim(
                claim.unit(),
                claim.fence(),
                claim.ask().module(),
                assignment.attempt(),
                Duration.ofNanos(claim.lease() * 1_000),
                revealed.input(),
                assignment.provided(),
                new StepLog(weir.records().logs(), name, claim.unit(), claim.fence(), revealed.veil()));
    }

    /** Reports, each of which is answered on its own, in their order. */
    public List<UpdateStep.Answer> update(UpdateRequest request) {
        List<CompletableFuture<UpdateStep.Answer>> answers = new ArrayList<>();
        request.updates()
                .forEach(update ->
                        answers.add(weir.send(name, new UpdateStep(update.unit(), update.fence(), update.update()))));
        return answers.stream().map(Org::await).toList();
    }

    public Heartbeat.Answer heartbeat(WorkClaim claim) {
        return send(new Heartbeat(claim.unit(), claim.fence()));
    }

    /** Works on the steps of a module within this process, so many at once, until it is closed. */
    public Serving serve(ModuleInfo module, int concurrency, Handler handler) {
        var job = new Serving.Job(module, ClaimRequest.DEFAULT_LEASE, concurrency, handler, this::opened);
        return new Serving(weir, name, job);
    }

    /** Sets an operator's values for a run's own limits; null = what the definition says. */
    public OverrideRun.Answer override(String run, @Nullable RuntimeOverrides values) {
        return send(new OverrideRun(
                run, values == null ? null : new RunGate.Overrides(values.maxConcurrentSteps(), values.maxParallel())));
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

    /** Why a step or item that waits for its limits does not start; absent if it does not wait for any. */
    public Optional<Explanation> why(UnitId unit) {
        return look((org, now) -> org.why(unit, now));
    }

    /** Why a run that is queued does not start. */
    public Optional<Explanation> why(String run) {
        return look((org, now) -> org.why(run, now));
    }

    /** Looks at the organisation as it is in memory. */
    public <T> T look(Look<T> look) {
        return await(weir.look(name, look));
    }

    /** Every shared limit that is known, in the order of its id. */
    public List<LimitView> limits() {
        return look((org, now) -> org.limits(now));
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
