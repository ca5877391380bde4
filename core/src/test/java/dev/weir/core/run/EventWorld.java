package dev.weir.core.run;

import dev.weir.core.command.ReceiveEvent;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.Move;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A world whose workflows have triggers. */
final class EventWorld {
    final World world = new World();
    private int registered;

    /** Registers a workflow that is written as YAML. */
    void register(String name, String text) {
        Workflow workflow =
                WorkflowReader.read("workflow: " + name + "\n" + text).orThrow();
        registered++;
        world.plans.put(name, Plan.of(workflow, registered));
        world.handle(new RegisterWorkflow(workflow));
    }

    ReceiveEvent.Answer send(String id, String name, String data) {
        return send(id, name, data, null);
    }

    ReceiveEvent.Answer send(String id, String name, String data, @Nullable Integer stored) {
        ReceiveEvent.Answer answer =
                world.handle(new ReceiveEvent(id, name, null, World.json(data), null, "tester", stored));
        world.advance();
        return answer;
    }

    /** The outcomes of all events so far, as text, without the reasons. */
    List<String> outcomes() {
        return world.moves.stream()
                .filter(Move.EventHandled.class::isInstance)
                .map(move -> text(((Move.EventHandled) move).outcome()))
                .toList();
    }

    /** The outcomes of all debounce windows that have ended. */
    List<String> windowOutcomes() {
        return world.moves.stream()
                .filter(Move.WindowClosed.class::isInstance)
                .map(move -> text(((Move.WindowClosed) move).outcome()))
                .toList();
    }

    private static String text(EventOutcome outcome) {
        String run = outcome.run() == null ? "" : " " + outcome.run();
        return outcome.trigger() + " " + outcome.kind().word() + run;
    }

    List<String> reasons() {
        return world.moves.stream()
                .filter(Move.EventHandled.class::isInstance)
                .map(move -> String.valueOf(((Move.EventHandled) move).outcome().reason()))
                .toList();
    }
}
