package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Operators' values for all run keys of a workflow at once. A workflow can have very many run keys, so their limits
 * share one value instead of each having a pin.
 */
final class RunKeyPins {
    /** The value of a limit that is not a run key: none, for ever. */
    static final InheritedPin NONE = new InheritedPin();

    private final Map<String, InheritedPin> byWorkflow = new HashMap<>();
    private long nextChange = Moment.NEVER;

    /** The value that all run keys of one workflow have in common. */
    static final class InheritedPin {
        private OperatorSetting<Integer> setting = OperatorSetting.none();
        /** The parallelism in force; 0 if the tickets' own is. */
        int parallelism;

        private void refresh(long now) {
            Integer value = setting.at(now);
            parallelism = value == null ? 0 : value;
        }
    }

    /** The value for the run keys of a workflow. It changes when the operator changes it. */
    InheritedPin of(String workflow) {
        return byWorkflow.computeIfAbsent(workflow, ignored -> new InheritedPin());
    }

    void set(String workflow, OperatorSetting<Integer> setting, long now) {
        InheritedPin pin = of(workflow);
        pin.setting = setting;
        pin.refresh(now);
        nextChange = Math.min(nextChange, setting.nextChange(now));
    }

    /** The time when the next temporary value ends. */
    long nextChange() {
        return nextChange;
    }

    /** Ends the temporary values whose time is over. Returns the workflows whose value changed. */
    List<String> expire(long now) {
        if (nextChange > now) {
            return List.of();
        }
        nextChange = Moment.NEVER;
        List<String> changed = new ArrayList<>();
        byWorkflow.forEach((workflow, pin) -> {
            int before = pin.parallelism;
            pin.refresh(now);
            if (pin.parallelism != before) {
                changed.add(workflow);
            }
            nextChange = Math.min(nextChange, pin.setting.nextChange(now));
        });
        return changed;
    }
}
