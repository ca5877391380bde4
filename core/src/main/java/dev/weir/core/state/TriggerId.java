package dev.weir.core.state;

import java.util.Comparator;

/** The id of a trigger within its organisation. Triggers are handled in this order. */
public record TriggerId(String workflow, String trigger) implements Comparable<TriggerId> {
    private static final Comparator<TriggerId> ORDER =
            Comparator.comparing(TriggerId::workflow).thenComparing(TriggerId::trigger);

    @Override
    public int compareTo(TriggerId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return workflow + "/" + trigger;
    }
}
