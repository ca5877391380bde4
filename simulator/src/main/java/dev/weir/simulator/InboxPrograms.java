package dev.weir.simulator;

import dev.weir.core.state.DeadLetter;
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
    private static final long CHECK_INTERVAL = SimulatedWorld.SECOND / 10;

    private final SimulatedWorld world;
    /** The runs that were left in the inbox; true if the start can be carried out. */
    private final Map<String, Boolean> submitted = new LinkedHashMap<>();

    private final Set<String> refused = new HashSet<>();
    private boolean checkScheduled;

    InboxPrograms(SimulatedWorld world) {
        this.world = world;
    }

    void submit(StartRequest start) {
        submitted.put(start.run(), true);
        world.cluster.journal.addToInbox(SimulatedCluster.ORG, start);
        scheduleCheck();
    }

    /** Leaves a start that must be refused: its workflow is unknown, or the store refuses to write it. */
    void submitInvalid(StartRequest template) {
        boolean unwritable = world.chance(30);
        String run = (unwritable ? StoreFaults.POISON_PREFIX : "lost") + submitted.size() + template.run();
        var input = JsonNodeFactory.instance.objectNode();
        submitted.put(run, false);
        world.cluster.journal.addToInbox(
                SimulatedCluster.ORG, StartRequest.of(run, unwritable ? template.workflow() : "nowhere", input));
        scheduleCheck();
    }

    private void scheduleCheck() {
        if (!checkScheduled) {
            checkScheduled = true;
            world.schedule(CHECK_INTERVAL, this::checkInbox);
        }
    }

    /**
     * Tells a node that the inbox may have starts. Nodes look into the inbox periodically, so a start that nobody
     * announced is found by the next look.
     */
    private void checkInbox() {
        checkScheduled = false;
        if (!world.cluster.journal.inbox().isEmpty()) {
            SimulatedNode node = world.cluster.pickNode();
            if (node != null) {
                node.shard.notifyInbox();
            }
            scheduleCheck();
        }
    }

    void checkRefusal(DeadLetter letter) {
        String run = letter.content().subject();
        Violation.require(Boolean.FALSE.equals(submitted.get(run)), "L6", "%s was refused, and is well", letter);
        Violation.require(refused.add(run), "L6", "%s was refused twice", letter);
        world.checker.coverage().add(Coverage.START_REFUSED);
    }

    boolean isDone() {
        return world.cluster.journal.inbox().isEmpty();
    }

    /** Checks that no start that was left is lost. */
    void checkAll() {
        submitted.forEach((run, valid) -> {
            boolean accepted = world.checker.traceState().runs.containsKey(run);
            Violation.require(
                    accepted == valid && refused.contains(run) != valid,
                    "L6",
                    "%s was left: expected %s, found accepted %s, refused %s",
                    run,
                    valid ? "a run" : "a refusal",
                    accepted,
                    refused.contains(run));
        });
    }
}
