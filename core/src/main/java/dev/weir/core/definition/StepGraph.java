package dev.weir.core.definition;

import dev.weir.core.naming.NearestName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The dependencies between steps. Every need must be a step of the workflow, and there must be no cycles. */
public final class StepGraph {
    private final List<GraphStep> nodes;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final List<DefinitionProblem> problems = new ArrayList<>();

    /** A step and the ids of the steps that it needs. */
    public record GraphStep(String id, List<String> needs) {}

    private StepGraph(List<GraphStep> nodes) {
        this.nodes = nodes;
    }

    /** Returns the problems of the graph, with paths as in a definition: {@code /steps/2/needs/0}. */
    public static List<DefinitionProblem> problems(List<GraphStep> nodes) {
        var graph = new StepGraph(nodes);
        graph.checkIds();
        graph.checkNeeds();
        graph.checkCycles();
        return List.copyOf(graph.problems);
    }

    private void checkIds() {
        for (int i = 0; i < nodes.size(); i++) {
            String id = nodes.get(i).id();
            Integer first = indexes.putIfAbsent(id, i);
            if (first != null) {
                String found = "'" + id + "' for step " + (first + 1) + " and step " + (i + 1);
                problems.add(new DefinitionProblem("/steps/" + i + "/id", "a unique step id", found));
            }
        }
    }

    private void checkNeeds() {
        for (int i = 0; i < nodes.size(); i++) {
            GraphStep node = nodes.get(i);
            Set<String> earlier = new HashSet<>();
            for (int n = 0; n < node.needs().size(); n++) {
                String need = node.needs().get(n);
                String path = "/steps/" + i + "/needs/" + n;
                boolean isRepeated = !earlier.add(need);
                if (need.equals(node.id())) {
                    problems.add(new DefinitionProblem(path, "another step", "step '" + need + "' itself"));
                } else if (!indexes.containsKey(need)) {
                    String found = "'" + need + "', which is not a step" + NearestName.hint(need, indexes.keySet());
                    problems.add(new DefinitionProblem(path, "a step that step '" + node.id() + "' needs", found));
                } else if (isRepeated) {
                    problems.add(new DefinitionProblem(path, "each step only once", "'" + need + "' twice"));
                }
            }
        }
    }

    /** Repeatedly removes steps without remaining needs. The steps that stay are on a cycle or depend on one. */
    private void checkCycles() {
        Map<String, Set<String>> remaining = new LinkedHashMap<>();
        for (GraphStep node : nodes) {
            remaining.computeIfAbsent(node.id(), id -> new LinkedHashSet<>()).addAll(node.needs());
        }
        remaining.forEach((id, needs) -> {
            needs.retainAll(indexes.keySet());
            needs.remove(id);
        });
        Map<String, List<String>> neededBy = new HashMap<>();
        remaining.forEach((id, needs) -> needs.forEach(
                need -> neededBy.computeIfAbsent(need, n -> new ArrayList<>()).add(id)));
        Deque<String> ready = new ArrayDeque<>();
        remaining.forEach((id, needs) -> {
            if (needs.isEmpty()) {
                ready.add(id);
            }
        });
        while (!ready.isEmpty()) {
            String id = ready.pop();
            remaining.remove(id);
            for (String dependent : neededBy.getOrDefault(id, List.of())) {
                Set<String> needs = remaining.get(dependent);
                if (needs != null && needs.remove(id) && needs.isEmpty()) {
                    ready.add(dependent);
                }
            }
        }
        if (!remaining.isEmpty()) {
            reportCycle(remaining);
        }
    }

    /**
     * Reports one cycle. Each remaining step has a remaining need, so following needs leads back to a step already
     * seen.
     */
    private void reportCycle(Map<String, Set<String>> remaining) {
        List<String> walk = new ArrayList<>();
        String current = remaining.keySet().iterator().next();
        while (!walk.contains(current)) {
            walk.add(current);
            current = remaining.getOrDefault(current, Set.of()).iterator().next();
        }
        List<String> cycle = new ArrayList<>(walk.subList(walk.indexOf(current), walk.size()));
        cycle.add(current);
        String found = "a cycle: " + String.join(" needs ", cycle);
        problems.add(new DefinitionProblem(
                "/steps/" + indexes.get(current) + "/needs", "steps that do not depend on themselves", found));
    }
}
