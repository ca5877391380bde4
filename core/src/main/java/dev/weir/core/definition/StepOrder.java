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
    private final List<StepGraph.GraphStep> nodes;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final Map<Integer, BitSet> predecessorsByIndex = new HashMap<>();

    private StepOrder(List<StepGraph.GraphStep> nodes) {
        this.nodes = nodes;
        for (StepGraph.GraphStep node : nodes) {
            indexes.put(node.id(), indexes.size());
        }
    }

    /** Returns the order of the steps of a graph without problems. */
    static StepOrder of(List<StepGraph.GraphStep> nodes) {
        return new StepOrder(nodes);
    }

    Set<String> ids() {
        return indexes.keySet();
    }

    /** True if a step needs the other one, directly or through others. */
    boolean isBefore(String other, String step) {
        Integer index = indexes.get(step);
        Integer otherIndex = indexes.get(other);
        return index != null && otherIndex != null && predecessors(index).get(otherIndex);
    }

    /** Returns the places of all steps before one. Chains are as long as there are steps, so this does not recurse. */
    private BitSet predecessors(int index) {
        ArrayDeque<Integer> stack = new ArrayDeque<>(List.of(index));
        while (!stack.isEmpty()) {
            int next = stack.getLast();
            Integer unresolved = predecessorsByIndex.containsKey(next) ? null : findUnresolvedNeed(next);
            if (unresolved != null) {
                stack.addLast(unresolved);
            } else {
                stack.removeLast();
                predecessorsByIndex.computeIfAbsent(next, this::unionOfNeeds);
            }
        }
        return predecessorsByIndex.getOrDefault(index, new BitSet());
    }

    private @Nullable Integer findUnresolvedNeed(int index) {
        for (String need : nodes.get(index).needs()) {
            Integer needIndex = indexes.get(need);
            if (needIndex != null && !predecessorsByIndex.containsKey(needIndex)) {
                return needIndex;
            }
        }
        return null;
    }

    private BitSet unionOfNeeds(int index) {
        var union = new BitSet(nodes.size());
        for (String need : nodes.get(index).needs()) {
            Integer needIndex = indexes.get(need);
            if (needIndex != null) {
                union.set(needIndex);
                union.or(predecessorsByIndex.getOrDefault(needIndex, new BitSet()));
            }
        }
        return union;
    }
}
