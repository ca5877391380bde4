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
    private final List<Node> nodes;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final List<DefinitionProblem> problems = new ArrayList<>();

    /** A step and the ids of the steps that it needs. */
    public record Node(String id, List<String> needs) {}

    private StepGraph(List<Node> nodes) {
        this.nodes = nodes;
    }

    /** Returns the problems of the graph, with paths as in a definition: {@code /steps/2/needs/0}. */
    public static List<DefinitionProblem> problems(List<Node> nodes) {
        var graph = new StepGraph(nodes);
        graph.checkIds();
        graph.checkNeeds();
        graph.checkCycles();
        return List.copyOf(graph.problems);
    }

    private void checkIds() {
        for (int i = 0; i < nodes.size(); i++) {
            String id = nodes.get(i).id();
            Integer first = places.putIfAbsent(id, i);
            if (first != null) {
                String found = "'" + id + "' for step " + (first + 1) + " and step " + (i + 1);
                problems.add(new DefinitionProblem("/steps/" + i + "/id", "a unique step id", found));
            }
        }
    }

    private void checkNeeds() {
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            Set<String> earlier = new HashSet<>();
            for (int n = 0; n < node.needs().size(); n++) {
                String need = node.needs().get(n);
                String path = "/steps/" + i + "/needs/" + n;
                boolean isRepeated = !earlier.add(need);
                if (need.equals(node.id())) {
                    problems.add(new DefinitionProblem(path, "another step", "step '" + need + "' itself"));
                } else if (!places.containsKey(need)) {
                    String found = "'" + need + "', which is not a step" + NearestName.hint(need, places.keySet());
                    problems.add(new DefinitionProblem(path, "a step that step '" + node.id() + "' needs", found));
                } else if (isRepeated) {
                    problems.add(new DefinitionProblem(path, "each step only once", "'" + need + "' twice"));
                }
            }
        }
    }

    /** Repeatedly removes steps without remaining needs. The steps that stay are on a cycle or depend on one. */
    private void checkCycles() {
        Map<String, Set<String>> left = new LinkedHashMap<>();
        for (Node node : nodes) {
            left.computeIfAbsent(node.id(), id -> new LinkedHashSet<>()).addAll(node.needs());
        }
        left.forEach((id, needs) -> {
            needs.retainAll(places.keySet());
            needs.remove(id);
        });
        Map<String, List<String>> neededBy = new HashMap<>();
        left.forEach((id, needs) -> needs.forEach(
                need -> neededBy.computeIfAbsent(need, n -> new ArrayList<>()).add(id)));
        Deque<String> free = new ArrayDeque<>();
        left.forEach((id, needs) -> {
            if (needs.isEmpty()) {
                free.add(id);
            }
        });
        while (!free.isEmpty()) {
            String id = free.pop();
            left.remove(id);
            for (String dependent : neededBy.getOrDefault(id, List.of())) {
                Set<String> needs = left.get(dependent);
                if (needs != null && needs.remove(id) && needs.isEmpty()) {
                    free.add(dependent);
                }
            }
        }
        if (!left.isEmpty()) {
            reportCycle(left);
        }
    }

    /**
     * Reports one cycle. Each remaining step has a remaining need, so following needs leads back to a step already
     * seen.
     */
    private void reportCycle(Map<String, Set<String>> left) {
        List<String> walk = new ArrayList<>();
        String at = left.keySet().iterator().next();
        while (!walk.contains(at)) {
            walk.add(at);
            at = left.getOrDefault(at, Set.of()).iterator().next();
        }
        List<String> cycle = new ArrayList<>(walk.subList(walk.indexOf(at), walk.size()));
        cycle.add(at);
        String found = "a cycle: " + String.join(" needs ", cycle);
        problems.add(new DefinitionProblem(
                "/steps/" + places.get(at) + "/needs", "steps that do not depend on themselves", found));
    }
}
