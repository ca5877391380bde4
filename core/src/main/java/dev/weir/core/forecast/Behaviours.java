package dev.weir.core.forecast;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import java.util.Map;

/**
 * How the steps of a workflow behave.
 *
 * @param named by the id of a step, by its module, or {@value #DEFAULT} for all else that takes time
 */
public record Behaviours(Map<String, Behaviour> named) {
    /** The name for all that is not named. */
    public static final String DEFAULT = "default";

    public static final Behaviours USUAL = new Behaviours(Map.of());

    public Behaviours {
        named = Map.copyOf(named);
    }

    /** A step's own, else its module's, else the usual one. Signals, approvals and events come at once. */
    Behaviour of(Step step) {
        Behaviour own = named.get(step.id());
        if (own != null) {
            return own;
        }
        return switch (step.action()) {
            case Action.Uses uses -> {
                Behaviour ofModule = named.get(uses.module());
                yield ofModule == null ? usual() : ofModule;
            }
            case Action.Call ignored -> usual();
            case Action.Invoke ignored -> usual();
            case Action.Sleep ignored -> Behaviour.AT_ONCE;
            case Action.WaitFor ignored -> Behaviour.AT_ONCE;
            case Action.Emit ignored -> Behaviour.AT_ONCE;
            case Action.GateOnly ignored -> Behaviour.AT_ONCE;
        };
    }

    boolean givesOutput(String step) {
        Behaviour own = named.get(step);
        return own != null && own.output() != null;
    }

    private Behaviour usual() {
        return named.getOrDefault(DEFAULT, Behaviour.ONE_SECOND);
    }
}
