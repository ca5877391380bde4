package dev.weir.cli.rig;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The workflows of the load, and the facts about them that are known without asking Weir. */
final class Load {
    /** The most concurrent runs of the workflow with max_concurrent_runs. */
    static final int QUEUE_RUNS = 3;

    /** The most that may be allocated of each key at once, pins included. */
    static final Map<String, Integer> KEYS =
            Map.of("key:shared", 7, "key:paced", 6, "key:left", 4, "key:right", Operator.RIGHT_RAISED);

    private static final int FAN_STEPS = 4;
    private static final int FAN_ITEMS = 8;
    private static final int FAN_CONCURRENCY = 3;
    private static final int ALONE_SLOTS = 4;
    /** A weight greater than that of all steps of a run together. */
    private static final int EVERYTHING = 1_000;

    static final List<LoadWorkflow> FLOWS = List.of(
            new LoadWorkflow("free", 100, """
                    workflow: free
                    steps:
                      - { id: a, uses: free.a }
                      - { id: b, uses: free.b }
                      - { id: c, uses: free.c, retry: { max_attempts: 9, delay: 100ms, backoff: fixed } }
                      - { id: d, uses: free.d, needs: [a, b] }
                      - { id: e, uses: free.e, needs: [c] }
                    """),
            new LoadWorkflow("shared_a", 24, """
                    workflow: shared_a
                    flow_control: { key: shared, parallelism: 7 }
                    steps:
                      - { id: a, uses: shared_a.a }
                      - { id: b, uses: shared_a.b }
                      - { id: c, uses: shared_a.c, needs: [a] }
                    """),
            new LoadWorkflow("shared_b", 10, """
                    workflow: shared_b
                    steps:
                      - { id: a, uses: shared_b.a, flow_control: { key: shared, parallelism: 7, weight: 2 } }
                      - id: b
                        uses: shared_b.b
                        flow_control: { key: shared, parallelism: 7, weight: 3 }
                        retry: { max_attempts: 9, delay: 100ms, backoff: fixed }
                    """),
            new LoadWorkflow("paced", 20, """
                    workflow: paced
                    steps:
                      - { id: a, uses: paced.a, flow_control: { key: paced, parallelism: 6, rate: 20, period: 1s } }
                      - id: b
                        uses: paced.b
                        needs: [a]
                        flow_control: { key: paced, parallelism: 6, rate: 20, period: 1s, cost: 2 }
                    """),
            new LoadWorkflow("double", 16, """
                    workflow: double
                    steps:
                      - id: a
                        uses: double.a
                        flow_control: [ { key: left, parallelism: 4 }, { key: right, parallelism: 6, weight: 2 } ]
                      - { id: b, uses: double.b, flow_control: { key: right, parallelism: 6 } }
                    """),
            new LoadWorkflow("fan", 33, """
                    workflow: fan
                    max_concurrent_steps: 4
                    steps:
                      - { id: items, with_items: "${{ range(8) }}", concurrency: 3, uses: fan.items }
                      - { id: side, uses: fan.side }
                      - { id: other, uses: fan.other, needs: [side] }
                      - { id: last, uses: fan.last, needs: [items] }
                    """),
            new LoadWorkflow("alone", 16, """
                    workflow: alone
                    runtime: { max_parallel: 4 }
                    steps:
                      - { id: a, uses: alone.a, slots: 2 }
                      - { id: b, uses: alone.b, slots: 2 }
                      - { id: c, uses: alone.c }
                      - { id: solo, uses: alone.solo, exclusive: true }
                    """),
            new LoadWorkflow("queue", 12, """
                    workflow: queue
                    limits: { max_concurrent_runs: 3 }
                    steps:
                      - { id: a, uses: queue.a }
                      - { id: b, uses: queue.b, needs: [a] }
                    """));

    private static final Map<String, Task> TASKS = new TreeMap<>();

    static {
        add("free.a");
        add("free.b");
        TASKS.put("free.c", new Task("free.c", 0, true, List.of()));
        add("free.d");
        add("free.e");
        add("shared_a.a", Need.ofParallelism("shared", 7, 1));
        add("shared_a.b", Need.ofParallelism("shared", 7, 1));
        add("shared_a.c", Need.ofParallelism("shared", 7, 1));
        add("shared_b.a", Need.ofParallelism("shared", 7, 2));
        TASKS.put("shared_b.b", new Task("shared_b.b", 0, true, List.of(Need.ofParallelism("shared", 7, 3))));
        add("paced.a", Need.ofRate("paced", 6, 20, 1));
        add("paced.b", Need.ofRate("paced", 6, 20, 2));
        add("double.a", Need.ofParallelism("left", 4, 1), Need.ofParallelism("right", 6, 2));
        add("double.b", Need.ofParallelism("right", 6, 1));
        TASKS.put("fan.items", new Task("fan.items", FAN_ITEMS, false, List.of()));
        add("fan.side");
        add("fan.other");
        add("fan.last");
        add("alone.a");
        add("alone.b");
        add("alone.c");
        add("alone.solo");
        add("queue.a");
        add("queue.b");
    }

    private Load() {}

    /**
     * A workflow.
     *
     * @param openSteps the number of its steps and items that are to be open at once
     */
    record LoadWorkflow(String name, int openSteps, String definition) {}

    /**
     * A step, identified by its module, which is named workflow.step.
     *
     * @param items the number of items; 0 = not a fan-out
     */
    record Task(String module, int items, boolean failsFirst, List<Need> needs) {
        String workflow() {
            return module.substring(0, module.indexOf('.'));
        }

        String step() {
            return module.substring(module.indexOf('.') + 1);
        }

        int units() {
            return Math.max(1, items);
        }
    }

    /** The part of a capacity that a step of a run takes. */
    record LimitUse(String limit, int weight, int max) {}

    private static void add(String module, Need... needs) {
        TASKS.put(module, new Task(module, 0, false, List.of(needs)));
    }

    static Task task(String module) {
        Task task = TASKS.get(module);
        if (task == null) {
            throw new AssertionError("expected a module of the load, found " + module);
        }
        return task;
    }

    static List<String> modules() {
        return List.copyOf(TASKS.keySet());
    }

    static List<Task> tasks(String workflow) {
        return TASKS.values().stream()
                .filter(task -> task.workflow().equals(workflow))
                .toList();
    }

    static int units(String workflow) {
        return tasks(workflow).stream().mapToInt(Task::units).sum();
    }

    /** Returns what a step takes of its own run's limits. */
    static List<LimitUse> runLimitUses(String module, String run) {
        return switch (module) {
            case "fan.items" ->
                List.of(
                        new LimitUse("steps of " + run, 1, FAN_STEPS),
                        new LimitUse("items of " + run, 1, FAN_CONCURRENCY));
            case "fan.side", "fan.other", "fan.last" -> List.of(new LimitUse("steps of " + run, 1, FAN_STEPS));
            case "alone.a", "alone.b" ->
                List.of(
                        new LimitUse("slots of " + run, 2, ALONE_SLOTS),
                        new LimitUse("exclusive in " + run, 1, EVERYTHING));
            case "alone.c" ->
                List.of(
                        new LimitUse("slots of " + run, 1, ALONE_SLOTS),
                        new LimitUse("exclusive in " + run, 1, EVERYTHING));
            case "alone.solo" ->
                List.of(
                        new LimitUse("slots of " + run, 1, ALONE_SLOTS),
                        new LimitUse("exclusive in " + run, EVERYTHING, EVERYTHING));
            default -> List.of();
        };
    }
}
