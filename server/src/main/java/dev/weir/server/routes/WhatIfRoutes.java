package dev.weir.server.routes;

import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.PinRequest;
import dev.weir.api.WhatIf;
import dev.weir.api.WhatIf.Answer;
import dev.weir.api.WhatIf.AssumedDuration;
import dev.weir.api.WhatIf.Assumptions;
import dev.weir.api.WhatIf.Backlog;
import dev.weir.api.WhatIf.WhatIfRequest;
import dev.weir.core.command.Command;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.Plan;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.WorkerSnapshot;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.Permission;
import dev.weir.core.state.RunRow;
import dev.weir.engine.BacklogCopies;
import dev.weir.engine.BacklogCopies.Copy;
import dev.weir.engine.records.RecentDurations;
import dev.weir.engine.records.RecentDurations.StepDuration;
import dev.weir.engine.request.TooManyReads;
import dev.weir.forecast.BacklogRunner;
import dev.weir.forecast.BacklogScenario;
import dev.weir.forecast.BacklogScenario.Bounds;
import dev.weir.forecast.WorkerPool;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WhatIfViews;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The route that predicts the course of the waiting work. Predictions run on threads of their own beside the loops, one
 * per organisation and a bounded number per node, and each is bounded in time and size.
 */
final class WhatIfRoutes {
    /** The predictions that a node makes at once. */
    private static final int PREDICTIONS_MAX = 2;
    /** The time for reading recent durations, in nanoseconds. */
    private static final long READING_NANOS = 1_000_000_000;
    /** The time for each of the two courses, in nanoseconds. */
    private static final long COURSE_NANOS = 2_200_000_000L;

    private static final long EVENTS_MAX = 2_000_000;
    /** The longest predicted time, in microseconds: 31 days. */
    private static final long TIME_MAX = 31L * 24 * 60 * 60 * 1_000_000;

    private static final int WORKFLOWS_MAX = 10;
    private static final int DURATIONS_SHOWN = 50;
    /** A worker without open requests counts as long as it was heard in this time, in microseconds. */
    private static final long HEARD_MICROS = 60_000_000;

    private static final double MICROS_PER_SECOND = 1_000_000;
    private static final double NANOS_PER_SECOND = 1_000_000_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final EngineGateway engine;
    private final BacklogCopies copies;
    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final Semaphore places = new Semaphore(PREDICTIONS_MAX);
    private final ExecutorService threads = Executors.newFixedThreadPool(
            PREDICTIONS_MAX,
            Thread.ofPlatform().name("weir-what-if-", 1).daemon().factory());

    WhatIfRoutes(EngineGateway engine) {
        this.engine = engine;
        this.copies = new BacklogCopies(engine.weir());
    }

    /** A change of a limit, as the command that an operator would send. */
    private record Change(Command<?> command, LimitId.Shared target) {}

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/what-if", Permission.READ, this::whatIf);
    }

    private Response whatIf(Request request) throws Exception {
        WhatIfRequest body = request.allowQueries().body(WhatIfRequest.class);
        WhatIf.Change asked = body.change();
        Change change = asked == null ? null : change(request, asked);
        if (!busy.add(request.org())) {
            throw new TooManyReads("expected one prediction of an organisation at a time, found another", RETRY_AFTER);
        }
        try {
            if (!places.tryAcquire()) {
                throw new TooManyReads(
                        "expected at most " + PREDICTIONS_MAX + " predictions on a node at a time, found more",
                        RETRY_AFTER);
            }
            try {
                return Response.ok(predict(request.org(), change));
            } finally {
                places.release();
            }
        } finally {
            busy.remove(request.org());
        }
    }

    private Answer predict(String org, @Nullable Change change) throws Exception {
        Copy copy = copies.copy(org);
        if (change != null) {
            requireAccepted(copy.rows(), change, copy.now());
        }
        Map<String, Integer> workflows = workflows(copy.rows());
        List<StepDuration> durations =
                new RecentDurations(engine.weir().records(), org, deadline(READING_NANOS)).read(workflows.keySet());
        Map<String, Long> byStep = new HashMap<>();
        durations.forEach(one -> byStep.put(
                BacklogScenario.stepName(one.workflow(), one.step()), Math.max(1, Moment.micros(one.median()))));
        List<WorkerPool> workers = pools(copy);
        var scenario = new BacklogScenario(copy.rows(), copy.now(), copy.oneIn(), workers, byStep);
        LimitId.Shared target = change == null ? null : change.target;
        var present = course(scenario, null, target);
        var changed = change == null ? null : course(scenario, change.command, target);
        return new Answer(
                Moment.toInstant(copy.now()),
                new Backlog(
                        copy.totals().runs(),
                        copy.totals().waiting(),
                        copy.oneIn() > 1,
                        copy.oneIn() > 1 ? (Integer) copy.oneIn() : null),
                WhatIfViews.prediction(present, target),
                changed == null ? null : WhatIfViews.prediction(changed, target),
                new Assumptions(assumed(durations, byStep, copy.rows()), notes(copy, workers)));
    }

    private BacklogScenario.Prediction course(
            BacklogScenario scenario, @Nullable Command<?> change, LimitId.@Nullable Shared target)
            throws ExecutionException, InterruptedException {
        return threads.submit(() -> BacklogRunner.predict(
                        scenario, change, target, new Bounds(EVENTS_MAX, TIME_MAX, deadline(COURSE_NANOS))))
                .get();
    }

    private static BooleanSupplier deadline(long nanos) {
        long begin = System.nanoTime();
        return () -> System.nanoTime() - begin > nanos;
    }

    /** Returns the workflows of the unfinished runs, those with the most runs first. */
    private static Map<String, Integer> workflows(OrganisationRows rows) {
        Map<String, Integer> counts = new HashMap<>();
        for (RunRow run : rows.runs()) {
            counts.merge(run.request().plan().workflow().name(), 1, Integer::sum);
        }
        Map<String, Integer> most = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(WORKFLOWS_MAX)
                .forEach(entry -> most.put(entry.getKey(), entry.getValue()));
        return most;
    }

    /** Returns the organisation's own workers, as many attempts at once as they last had place for. */
    private static List<WorkerPool> pools(Copy copy) {
        Map<List<String>, Integer> sizes = new LinkedHashMap<>();
        for (WorkerSnapshot worker : copy.workers()) {
            List<String> modules = worker.modules().stream()
                    .filter(module -> !BuiltInModule.isBuiltIn(module))
                    .sorted()
                    .toList();
            boolean heard = worker.running() + worker.polls() > 0 || worker.lastSeenAt() > copy.now() - HEARD_MICROS;
            if (!modules.isEmpty() && heard && worker.places() > 0) {
                sizes.merge(modules, worker.places(), Integer::sum);
            }
        }
        List<WorkerPool> pools = new ArrayList<>();
        sizes.forEach((modules, size) -> pools.add(new WorkerPool(modules, size)));
        return pools;
    }

    /** Lists the assumed durations of the steps of the unfinished runs. */
    private static List<AssumedDuration> assumed(
            List<StepDuration> durations, Map<String, Long> known, OrganisationRows rows) {
        List<AssumedDuration> assumed = new ArrayList<>();
        durations.forEach(one -> assumed.add(new AssumedDuration(
                one.workflow(), one.step(), one.median().toNanos() / NANOS_PER_SECOND, one.attempts())));
        Set<Plan> plans = new HashSet<>();
        Set<String> listed = new HashSet<>(known.keySet());
        for (RunRow run : rows.runs()) {
            Plan plan = run.request().plan();
            if (plans.add(plan)) {
                addGuesses(plan, listed, assumed);
            }
        }
        return assumed.stream().limit(DURATIONS_SHOWN).toList();
    }

    private static void addGuesses(Plan plan, Set<String> listed, List<AssumedDuration> assumed) {
        String workflow = plan.workflow().name();
        for (PlannedStep step : plan.steps()) {
            if (step.module() != null
                    && assumed.size() < DURATIONS_SHOWN
                    && listed.add(BacklogScenario.stepName(workflow, step.id()))) {
                double guess = BacklogScenario.DEFAULT_DURATION / MICROS_PER_SECOND;
                assumed.add(new AssumedDuration(workflow, step.id(), guess, 0));
            }
        }
    }

    private static List<String> notes(Copy copy, List<WorkerPool> workers) {
        List<String> notes = new ArrayList<>();
        notes.add("No new runs arrive, and every attempt succeeds.");
        notes.add("Nobody approves, gives input or sends signals.");
        notes.add(
                workers.isEmpty()
                        ? "No worker was heard lately, so only calls are executed."
                        : "Workers stay as they are: "
                                + workers.stream().mapToInt(WorkerPool::size).sum() + " attempts at once.");
        if (copy.oneIn() > 1) {
            notes.add("The backlog is too large to be predicted as a whole; one in " + copy.oneIn()
                    + " is, and times are scaled. Limits with few waiting are estimated roughly.");
        }
        return notes;
    }

    private Change change(Request request, WhatIf.Change change) throws Exception {
        PinRequest pin = change.pin();
        if (pin != null) {
            var key = new LimitId.Key(pin.key());
            return new Change(new PinKey(key, KeyRoutes.pinValues(engine, request.org(), pin)), key);
        }
        KeyRequest pause = change.pause();
        if (pause != null) {
            var key = new LimitId.Key(pause.key());
            return new Change(new PauseKey(key, engine.until(request.org(), pause.forTime())), key);
        }
        KeyRequest unpin = change.unpin();
        if (unpin != null) {
            var key = new LimitId.Key(unpin.key());
            return new Change(new UnpinKey(key), key);
        }
        KeyRequest resume = change.resume();
        if (resume != null) {
            var key = new LimitId.Key(resume.key());
            return new Change(new ResumeKey(key), key);
        }
        return limitsChange(request, Objects.requireNonNull(change.limits()));
    }

    private Change limitsChange(Request request, WhatIf.LimitsChange change) throws Exception {
        change.values().requireValues();
        String workflow = change.workflow();
        String runKey = change.runKey();
        LimitId.Runs limit = workflow == null
                ? new LimitId.OrgRuns()
                : runKey == null ? new LimitId.WorkflowRuns(workflow) : new LimitId.RunKey(workflow, runKey);
        var values = RunLimitRoutes.values(engine, request, change.values());
        return new Change(new ConfigureRunLimits(limit, values, null), limit);
    }

    /** Refuses a change that the real request would refuse. */
    private static void requireAccepted(OrganisationRows rows, Change change, long now) {
        var settings = new OrganisationRows(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                rows.operators(),
                rows.profiles(),
                rows.workflows(),
                List.of(),
                rows.nextRunNumber(),
                rows.highestFence(),
                List.of(),
                rows.access(),
                rows.events(),
                rows.attention());
        Object answer =
                Organisation.restore(settings, now).handle(change.command, now).answer();
        if (answer == PinKey.Answer.NO_RATE) {
            throw KeyRoutes.noRate();
        }
        if (answer instanceof ConfigureRunLimits.Answer configured
                && change.command instanceof ConfigureRunLimits command) {
            RunLimitRoutes.requireConfigured(configured, command);
        }
    }
}
