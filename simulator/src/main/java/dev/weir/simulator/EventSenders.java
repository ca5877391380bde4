package dev.weir.simulator;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Attribution;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.JsonNodeFactory;

/** Programs that send events, some of them twice, and the workflows with triggers for these events. */
final class EventSenders {
    /** The event that starts runs directly and in bursts. */
    static final String EVENT = "changed";

    /** The event of a workflow that emits it again. */
    static final String LOOP = "loop";

    static final int LOOP_DEPTH_MAX = 3;
    static final long PERIOD = 2 * SimulatedWorld.SECOND;
    static final long MAX_WAIT = 5 * SimulatedWorld.SECOND;

    private static final List<String> WORKFLOWS = List.of("""
            workflow: triggered
            triggers:
              - {id: big, event: changed, if: '${{ event.data.n > 2 }}'}
              - {id: burst, event: changed, debounce: {key: '${{ event.data.k }}', period: 2s, max_wait: 5s}}
            """, """
            workflow: looping
            limits: {max_cascade_depth: 3}
            triggers: [{id: again, event: loop}]
            steps: [{id: tell, emit: {event: loop}}]
            """);
    private static final int LOOP_PERCENT = 15;
    private static final int REPEAT_PERCENT = 30;

    private final SimulatedWorld world;
    private final Set<String> sent = new TreeSet<>();
    private final Set<String> acknowledged = new TreeSet<>();
    private int registered;

    EventSenders(SimulatedWorld world) {
        this.world = world;
    }

    /** Sends events within the given time, most of them in bursts. */
    void send(int bursts, long during) {
        for (String workflow : WORKFLOWS) {
            world.send(new RegisterWorkflow(WorkflowReader.read(workflow).orThrow()), answer -> registered++);
        }
        for (int i = 0; i < bursts; i++) {
            String burst = "event" + i;
            long at = world.randomBetween(0, during);
            int events = 1 + world.random.nextInt(5);
            for (int j = 0; j < events; j++) {
                String id = burst + "." + j;
                world.schedule(at + world.randomBetween(0, 2 * PERIOD), () -> send(id));
            }
        }
        if (world.chance(LOOP_PERCENT)) {
            world.schedule(world.randomBetween(0, during), () -> send("loop"));
        }
    }

    private void send(String id) {
        if (registered < WORKFLOWS.size()) {
            world.schedule(SimulatedWorld.SECOND, () -> send(id));
            return;
        }
        sent.add(id);
        var data = JsonNodeFactory.instance
                .objectNode()
                .put("n", world.random.nextInt(5))
                .put("k", "k" + world.random.nextInt(2));
        var event = EventRequest.of(id, id.equals(LOOP) ? LOOP : EVENT, data);
        deliver(event);
        if (world.chance(REPEAT_PERCENT)) {
            world.schedule(world.randomBetween(0, 20 * SimulatedWorld.SECOND), () -> deliver(event));
        }
    }

    private void deliver(EventRequest event) {
        boolean known = acknowledged.contains(event.id());
        world.cluster.send(shard -> shard.receive(SimulatedCluster.ORG, event, Attribution.PROGRAM), answer -> {
            Violation.require(
                    answer instanceof EventReceipt.Existing || (!known && answer instanceof EventReceipt.Received),
                    "S7",
                    "event %s was answered %s",
                    event.id(),
                    answer);
            acknowledged.add(event.id());
        });
    }

    /** True if all events were acknowledged and delivered. */
    boolean isDone() {
        return registered == WORKFLOWS.size()
                && acknowledged.containsAll(sent)
                && world.checker.events().isSettled();
    }

    void checkAll() {
        world.checker.events().checkDrained(acknowledged);
    }
}
