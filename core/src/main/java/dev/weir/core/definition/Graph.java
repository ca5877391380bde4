package dev.weir.core.definition;

import dev.weir.core.naming.Nearest;
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
import java.util.stream.Collectors;

/** Which step needs which: every need is a step of the workflow, and nobody waits for himself. */
public final class Graph {
    private final List<Node> nodes;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /** A step and what it needs. */
    public record Node(String id, List<String> needs) {}

    private Graph(List<Node> nodes) {
        this.nodes = nodes;
    }

    /** What is wrong with it, with paths as in a definition: {@code /steps/2/needs/0}. */
    public static List<Problem> problems(List<Node> nodes) {
        var graph = new Graph(nodes);
        graph.checkIds();
        graph.checkNeeds();
        graph.checkCycles();
        return List.copyOf(graph.problems);
    }

    /** For each step all that comes before it; only for a graph without problems. */
    static Map<String, Set<String>> before(List<Node> nodes) {
        Map<String, Node> byId = nodes.stream().collect(Collectors.toMap(Node::id, node -> node));
        Map<String, Set<String>> before = new HashMap<>();
        for (Node node : nodes) {
            Set<String> seen = new HashSet<>();
            Deque<String> open = new ArrayDeque<>(node.needs());
            while (!open.isEmpty()) {
                String id = open.pop();
                if (seen.add(id)) {
                    open.addAll(byId.getOrDefault(id, new Node(id, List.of())).needs());
                }
            }
            before.put(node.id(), seen);
        }
        return before;
    }

    private void checkIds() {
        for (int i = 0; i < nodes.size(); i++) {
            String id = nodes.get(i).id();
            Integer first = places.putIfAbsent(id, i);
            if (first != null) {
                String found = "'" + id + "' for step " + (first + 1) + " and step " + (i + 1);
                problems.add(new Problem("/steps/" + i + "/id", "an id that no other step has", found));
            }
        }
    }

    private void checkNeeds() {
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            for (int n = 0; n < node.needs().size(); n++) {
                String need = node.needs().get(n);
                String path = "/steps/" + i + "/needs/" + n;
                if (need.equals(node.id())) {
                    problems.add(new Problem(path, "another step", "step '" + need + "' itself"));
                } else if (!places.containsKey(need)) {
                    String found = "'" + need + "', which is no step" + Nearest.hint(need, places.keySet());
                    problems.add(new Problem(path, "a step that step '" + node.id() + "' needs", found));
                } else if (node.needs().indexOf(need) < n) {
                    problems.add(new Problem(path, "each step only once", "'" + need + "' again"));
                }
            }
        }
    }

    /** Takes away what needs nothing that is left, until nothing more can be taken: what stays lies on or behind a cycle. */
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

    /** Follows needs among what is left; each of them has one, so the walk comes back to a step that it has seen. */
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
        problems.add(
                new Problem("/steps/" + places.get(at) + "/needs", "steps that do not wait for themselves", found));
    }
}
