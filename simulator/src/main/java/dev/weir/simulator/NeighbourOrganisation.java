package dev.weir.simulator;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Another organisation of the same shard, with simple workflows and no faults of its own. Whatever happens to the main
 * organisation, each run of this one must be accepted once, and complete.
 */
final class NeighbourOrganisation {
    private static final String WORKFLOW = "plain";
    private static final String MODULE = "work";
    /** Long enough that the exact time of a grant does not matter. */
    private static final long LEASE = 40 * SimulatedWorld.SECOND;

    private static final int CLAIMS_MAX = 3;
    private static final long WORK_MAX = 2 * SimulatedWorld.SECOND;

    private final SimulatedWorld world;
    private final String org;
    /** Runs that were requested, and runs whose start was confirmed. */
    private final Set<String> requested = new LinkedHashSet<>();

    private final Set<String> accepted = new LinkedHashSet<>();
    private int polls;

    NeighbourOrganisation(SimulatedWorld world) {
        this.world = world;
        this.org = findName(world.cluster);
    }

    /** Finds a name that maps to the shard of the main organisation. */
    private static String findName(SimulatedCluster cluster) {
        for (int i = 0; ; i++) {
            String name = "neighbour" + i;
            if (cluster.journal.with(name).shardOf(name) == cluster.shard()) {
                return name;
            }
        }
    }

    /** Starts the given number of runs within the given time. */
    void startRuns(int runs, long during) {
        Workflow workflow = Workflow.named(WORKFLOW)
                .step("first")
                .uses(MODULE)
                .step("second")
                .uses(MODULE)
                .needs("first")
                .build();
        world.cluster.send(shard -> shard.send(org, new RegisterWorkflow(workflow)), ignored -> {
            poll();
            for (int i = 0; i < runs; i++) {
                String run = "n" + i;
                world.schedule(world.randomBetween(0, during), () -> start(run));
            }
        });
    }

    private void start(String run) {
        requested.add(run);
        sendStart(run, answer -> accepted.add(run));
        if (world.chance(50)) {
            world.schedule(world.randomBetween(0, 30 * SimulatedWorld.SECOND), () -> startAgain(run));
        }
    }

    /** Sends a start again, as a caller does who does not know the outcome. The run may have ended by then. */
    private void startAgain(String run) {
        boolean known = accepted.contains(run);
        sendStart(run, answer -> {
            Violation.require(!known || answer instanceof StartOutcome.Existing, "R0.14", "%s gave %s", run, answer);
            boolean ended = answer instanceof StartOutcome.Existing existing
                    && existing.state().ended();
            world.noteCoverage(ended, Coverage.ENDED_RUN_STARTED_AGAIN);
        });
    }

    private void sendStart(String run, Consumer<StartOutcome> onAnswer) {
        var start = StartRequest.of(run, WORKFLOW, JsonNodeFactory.instance.objectNode());
        world.cluster.send(shard -> shard.start(org, start), onAnswer);
    }

    private void poll() {
        polls++;
        var serves = List.of(new ClaimWork.ServedModule(MODULE));
        var work = new ClaimWork("poll" + polls, "next door", serves, CLAIMS_MAX, LEASE);
        world.cluster.send(shard -> shard.claim(org, work, SimulatedWorker.POLL_TIMEOUT), assignments -> {
            assignments.forEach(each -> world.schedule(world.randomBetween(0, WORK_MAX), () -> report(each)));
            world.schedule(world.randomBetween(0, SimulatedWorld.SECOND), this::poll);
        });
    }

    private void report(Assignment assignment) {
        var claim = assignment.claim();
        var done = new Update.Completed(JsonNodeFactory.instance.numberNode(assignment.attempt()));
        world.cluster.send(shard -> shard.send(org, new UpdateStep(claim.unit(), claim.fence(), done)), answer -> {});
    }

    /** True if all requested runs have ended. */
    boolean isDone() {
        return accepted.containsAll(requested)
                && world.cluster.journal.rows(org, world.now()).runs().isEmpty();
    }

    void checkAll() {
        for (String run : requested) {
            Optional<RunState> state =
                    world.cluster.journal.records().findRun(org, run).map(RunRecord::state);
            Violation.require(
                    state.filter(RunState.COMPLETED::equals).isPresent(),
                    "L3",
                    "run %s of the neighbour: expected %s, found %s",
                    run,
                    RunState.COMPLETED,
                    state);
        }
    }
}
