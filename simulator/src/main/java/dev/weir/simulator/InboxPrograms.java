package dev.weir.simulator;

import dev.weir.core.state.Move;
import dev.weir.engine.request.StartRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Programs that leave starts in the inbox in their own transactions. The engine must carry out each start, or keep it
 * as refused, exactly once.
 */
final class InboxPrograms {
    /** The interval at which a node looks into the inbox. */
    private static final long LOOK_EVERY = SimulatedWorld.SECOND / 10;

    private final SimulatedWorld world;
    /** The runs that were left in the inbox; true if the start can be carried out. */
    private final Map<String, Boolean> left = new LinkedHashMap<>();

    private final Set<String> refused = new HashSet<>();
    private boolean looking;

    InboxPrograms(SimulatedWorld world) {
        this.world = world;
    }

    void leave(StartRequest start) {
        left.put(start.run(), true);
        world.cluster.journal.leave(SimulatedCluster.ORG, start);
        look();
    }

    /** Leaves a start that must be refused: its workflow is unknown, or the store refuses to write it. */
    void leaveBad(StartRequest like) {
        boolean rows = world.chance(30);
        String run = (rows ? StoreFaults.POISON : "lost") + left.size() + like.run();
        var input = JsonNodeFactory.instance.objectNode();
        left.put(run, false);
        world.cluster.journal.leave(
                SimulatedCluster.ORG, StartRequest.of(run, rows ? like.workflow() : "nowhere", input));
        look();
    }

    private void look() {
        if (!looking) {
            looking = true;
            world.later(LOOK_EVERY, this::lookAgain);
        }
    }

    /**
     * Tells a node that the inbox may have starts. Nodes look into the inbox periodically, so a start that nobody
     * announced is found by the next look.
     */
    private void lookAgain() {
        looking = false;
        if (!world.cluster.journal.inbox().isEmpty()) {
            SimulatedNode node = world.cluster.choose();
            if (node != null) {
                node.shard.inboxWaits();
            }
            look();
        }
    }

    void see(Move.StartRefused move) {
        Violation.unless(Boolean.FALSE.equals(left.get(move.run())), "L6", "%s was refused, and is well", move);
        Violation.unless(refused.add(move.run()), "L6", "%s was refused twice", move);
        world.checker.seen().add(Coverage.START_REFUSED);
    }

    boolean done() {
        return world.cluster.journal.inbox().isEmpty();
    }

    /** Checks that no start that was left is lost. */
    void checkAll() {
        left.forEach((run, good) -> {
            boolean accepted = world.checker.tally().runs.containsKey(run);
            Violation.unless(
                    accepted == good && refused.contains(run) != good,
                    "L6",
                    "%s was left: expected %s, found accepted %s, refused %s",
                    run,
                    good ? "a run" : "a refusal",
                    accepted,
                    refused.contains(run));
        });
    }
}
