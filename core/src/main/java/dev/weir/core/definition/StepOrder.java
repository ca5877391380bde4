package dev.weir.core.definition;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The order that the needs of steps imply. Sets of bits keep it small: a walk from each step would be quadratic. */
final class StepOrder {
    private final List<StepGraph.Node> nodes;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Map<Integer, BitSet> before = new HashMap<>();

    private StepOrder(List<StepGraph.Node> nodes) {
        this.nodes = nodes;
        for (StepGraph.Node node : nodes) {
            places.put(node.id(), places.size());
        }
    }

    /** Returns the order of the steps of a graph without problems. */
    static StepOrder of(List<StepGraph.Node> nodes) {
        return new StepOrder(nodes);
    }

    Set<String> ids() {
        return places.keySet();
    }

    /** True if a step needs the other one, directly or through others. */
    boolean isBefore(String other, String step) {
        Integer place = places.get(step);
        Integer otherPlace = places.get(other);
        return place != null && otherPlace != null && before(place).get(otherPlace);
    }

    /** Returns the places of all steps before one. Chains are as long as there are steps, so this does not recurse. */
    private BitSet before(int place) {
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(place));
        while (!open.isEmpty()) {
            int next = open.getLast();
            Integer unknown = before.containsKey(next) ? null : unknownNeed(next);
            if (unknown != null) {
                open.addLast(unknown);
            } else {
                open.removeLast();
                before.computeIfAbsent(next, this::union);
            }
        }
        return before.getOrDefault(place, new BitSet());
    }

    private @Nullable Integer unknownNeed(int place) {
        for (String need : nodes.get(place).needs()) {
            Integer at = places.get(need);
            if (at != null && !before.containsKey(at)) {
                return at;
            }
        }
        return null;
    }

    private BitSet union(int place) {
        var union = new BitSet(nodes.size());
        for (String need : nodes.get(place).needs()) {
            Integer at = places.get(need);
            if (at != null) {
                union.set(at);
                union.or(before.getOrDefault(at, new BitSet()));
            }
        }
        return union;
    }
}
