package dev.weir.testkit.simulator;

import dev.weir.core.life.Move;
import dev.weir.engine.StartRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;

/** Programs that leave starts in their own transactions. Each is carried out, or kept as refused, and that once. */
final class Programs {
    /** How often a node looks for starts that were left. */
    private static final long LOOK_EVERY = World.SECOND / 10;

    private final World world;
    /** What was left, and whether it can be carried out. */
    private final Map<String, Boolean> left = new LinkedHashMap<>();

    private final Set<String> refused = new HashSet<>();
    private boolean looking;

    Programs(World world) {
        this.world = world;
    }

    void leave(StartRequest start) {
        left.put(start.run(), true);
        world.cluster.journal.leave(Cluster.ORG, start);
        look();
    }

    /** Leaves what comes to nothing: its workflow is not known, or the store will not write it. */
    void leaveBad(StartRequest like) {
        boolean rows = world.chance(30);
        String run = (rows ? Weather.POISON : "lost") + left.size() + like.run();
        var input = JsonNodeFactory.instance.objectNode();
        left.put(run, false);
        world.cluster.journal.leave(Cluster.ORG, StartRequest.of(run, rows ? like.workflow() : "nowhere", input));
        look();
    }

    private void look() {
        if (!looking) {
            looking = true;
            world.later(LOOK_EVERY, this::lookAgain);
        }
    }

    /** Nodes look now and then: a start that is left alone for a while is found by the next look. */
    private void lookAgain() {
        looking = false;
        if (!world.cluster.journal.inbox().isEmpty()) {
            Machine node = world.cluster.choose();
            if (node != null) {
                node.shard.inboxWaits();
            }
            look();
        }
    }

    void see(Move.StartRefused move) {
        Violation.unless(Boolean.FALSE.equals(left.get(move.run())), "L6", "%s was refused, and is well", move);
        Violation.unless(refused.add(move.run()), "L6", "%s was refused twice", move);
        world.checker.seen().add(Kind.START_REFUSED);
    }

    boolean done() {
        return world.cluster.journal.inbox().isEmpty();
    }

    /** Nothing that was left may be lost. */
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
