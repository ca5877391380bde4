package dev.weir.testkit.simulator;

import dev.weir.core.definition.Workflow;
import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.Update;
import dev.weir.core.life.UpdateStep;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import dev.weir.engine.records.RunRecord;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Another organisation of the same shard, which lives a plain life. Whatever happens beside it, each of its runs is accepted
 * once, and completes.
 */
final class Neighbour {
    private static final String WORKFLOW = "plain";
    private static final String MODULE = "work";
    /** Long, so that nothing depends on when exactly its work is handed out. */
    private static final long LEASE = 40 * World.SECOND;

    private static final int CLAIMS_MAX = 3;
    private static final long WORK_MAX = 2 * World.SECOND;

    private final World world;
    private final String org;
    /** Runs that were asked for, and those of which it was said that they were started. */
    private final Set<String> asked = new LinkedHashSet<>();

    private final Set<String> accepted = new LinkedHashSet<>();
    private int polls;

    Neighbour(World world) {
        this.world = world;
        this.org = find(world.cluster);
    }

    /** A name that is kept in the shard of all others. */
    private static String find(Cluster cluster) {
        for (int i = 0; ; i++) {
            String name = "neighbour" + i;
            if (cluster.journal.with(name).shardOf(name) == cluster.shard()) {
                return name;
            }
        }
    }

    /** Starts so many runs during that time. */
    void live(int runs, long during) {
        Workflow workflow = Workflow.named(WORKFLOW)
                .step("first")
                .uses(MODULE)
                .step("second")
                .uses(MODULE)
                .needs("first")
                .build();
        world.cluster.ask(shard -> shard.send(org, new RegisterWorkflow(workflow)), ignored -> {
            poll();
            for (int i = 0; i < runs; i++) {
                String run = "n" + i;
                world.later(world.between(0, during), () -> start(run));
            }
        });
    }

    private void start(String run) {
        asked.add(run);
        ask(run, answer -> accepted.add(run));
        if (world.chance(50)) {
            world.later(world.between(0, 30 * World.SECOND), () -> startAgain(run));
        }
    }

    /** Whoever does not know whether a run was started asks again, even after its end. */
    private void startAgain(String run) {
        boolean known = accepted.contains(run);
        ask(run, answer -> {
            Violation.unless(!known || answer instanceof StartAnswer.Existing, "R0.14", "%s gave %s", run, answer);
            boolean ended = answer instanceof StartAnswer.Existing existing
                    && existing.state().ended();
            world.saw(ended, Kind.ENDED_RUN_STARTED_AGAIN);
        });
    }

    private void ask(String run, Consumer<StartAnswer> then) {
        var start = StartRequest.of(run, WORKFLOW, JsonNodeFactory.instance.objectNode());
        world.cluster.ask(shard -> shard.start(org, start), then);
    }

    private void poll() {
        polls++;
        var serves = List.of(new ClaimWork.Serves(MODULE));
        var work = new ClaimWork("poll" + polls, "next door", serves, CLAIMS_MAX, LEASE);
        world.cluster.ask(shard -> shard.claim(org, work, Worker.POLL_MAX), assignments -> {
            assignments.forEach(each -> world.later(world.between(0, WORK_MAX), () -> report(each)));
            world.later(world.between(0, World.SECOND), this::poll);
        });
    }

    private void report(Assignment assignment) {
        var claim = assignment.claim();
        var done = new Update.Completed(JsonNodeFactory.instance.numberNode(assignment.attempt()));
        world.cluster.ask(shard -> shard.send(org, new UpdateStep(claim.unit(), claim.fence(), done)), answer -> {});
    }

    /** Whether all that was asked for has ended. */
    boolean done() {
        return accepted.containsAll(asked)
                && world.cluster.journal.rows(org, world.now()).runs().isEmpty();
    }

    void checkAll() {
        for (String run : asked) {
            Optional<RunState> state =
                    world.cluster.journal.records().findRun(org, run).map(RunRecord::state);
            Violation.unless(
                    state.filter(RunState.COMPLETED::equals).isPresent(),
                    "L3",
                    "run %s of the neighbour: expected %s, found %s",
                    run,
                    RunState.COMPLETED,
                    state);
        }
    }
}
