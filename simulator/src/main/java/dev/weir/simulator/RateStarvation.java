package dev.weir.simulator;

import dev.weir.core.admission.Admission;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.engine.request.StartRequest;
import dev.weir.simulator.TraceState.RateStart;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Many items that keep the window of a rate full, and one step with a higher cost. The first starts are spread evenly
 * over a period. Space then becomes free for one start at a time, so that an item takes it and the step waits. This
 * begins after the faults are off, so that only the other items can keep the step from starting.
 */
final class RateStarvation {
    /** The percentage of seeds that include this scenario. */
    static final int SEED_PERCENT = 7;

    private static final String KEY = "crowd";
    private static final LimitId.Key LIMIT = new LimitId.Key(KEY);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final int LATE_ITEMS = 80;
    /**
     * Starts that are allowed in addition to the counted overtakings: of items that waited earlier, and of items that
     * delay nobody.
     */
    private static final int EXTRA_STARTS_MAX = 16;

    private final SimulatedWorld world;
    private final int rate;
    private final int costlyRate;
    private final int cost;
    private boolean scheduled;
    private boolean allStarted;
    private long readyAt;

    RateStarvation(SimulatedWorld world) {
        this.world = world;
        this.rate = 3 + world.random.nextInt(3);
        this.costlyRate = 2 + world.random.nextInt(rate - 1);
        this.cost = Math.max(2, costlyRate - world.random.nextInt(2));
    }

    /** Schedules the scenario after the given delay. */
    void schedule(long delay) {
        scheduled = true;
        world.schedule(delay, this::startRuns);
    }

    private void startRuns() {
        register("early", 1, flowControl(rate, 1));
        register("costly", 1, flowControl(costlyRate, cost));
        register("late", LATE_ITEMS, flowControl(rate, 1));
        long spacing = Requirements.micros(PERIOD) / rate;
        for (int i = 0; i < rate; i++) {
            start("early" + i, "early", SimulatedWorld.SECOND + i * spacing);
        }
        long windowFullAt = SimulatedWorld.SECOND + (rate - 1) * spacing;
        start("costly", "costly", windowFullAt + spacing / 3);
        start("late", "late", windowFullAt + 2 * spacing / 3);
    }

    private static FlowControl flowControl(int rate, int cost) {
        return new FlowControl(Template.of(KEY), null, new RateLimit(rate, PERIOD, RateLimit.Window.SLIDING), 1, cost);
    }

    private void register(String name, int items, FlowControl key) {
        world.send(new RegisterWorkflow(Workflow.named(name)
                .step("s")
                .uses(RandomScenario.MODULES.getFirst())
                .withItems("${{ range(" + items + ") }}")
                .flowControl(key)
                .build()));
    }

    private void start(String run, String workflow, long delay) {
        var request = StartRequest.of("crowd-" + run, workflow, JsonNodeFactory.instance.objectNode());
        world.schedule(
                delay,
                () -> world.start(request, answer -> {
                    if (workflow.equals("costly")) {
                        readyAt = world.now();
                    }
                    allStarted |= workflow.equals("late");
                }));
    }

    /** True if the scenario starts no more runs. */
    boolean isDone() {
        return !scheduled || allStarted;
    }

    /** Checks that the costly step does not starve: it started after a bounded number of others. */
    void check() {
        if (!scheduled) {
            return;
        }
        List<RateStart> starts = world.checker.traceState().startsByLimit.getOrDefault(LIMIT.text(), List.of());
        long startedBefore = starts.stream()
                .takeWhile(start -> start.cost() != cost)
                .filter(start -> start.at() > readyAt)
                .count();
        Violation.require(
                startedBefore <= Admission.OVERTAKINGS_MAX + EXTRA_STARTS_MAX,
                "L5",
                "a step of cost %s started after %s others of its key",
                cost,
                startedBefore);
    }
}
