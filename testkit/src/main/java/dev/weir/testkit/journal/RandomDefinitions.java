package dev.weir.testkit.journal;

import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workflows of random runs. Together they produce every kind of row. */
final class RandomDefinitions {
    static final List<String> DEFINITIONS = List.of("""
            workflow: chain
            steps:
              - {id: a, uses: m, flow_control: [{key: k, parallelism: 3}], with: {token: 'Bearer ${{ secrets.API }}'}}
              - {id: b, uses: m, needs: [a], retry: {max_attempts: 3, delay: 2s}}
            """, """
            workflow: limited
            max_concurrent_steps: 2
            max_steps_per_tick: 1
            runtime: {max_parallel: 3, tick_interval: 500ms}
            deadline: {after: 10m, action: cancel}
            steps:
              - {id: a, uses: m, slots: 3}
              - {id: b, uses: m, exclusive: true, on_failure: continue}
              - id: c
                uses: m
                needs: [a, b]
                flow_control:
                  - {key: k, parallelism: 3, weight: 2}
                  - {key: '${{ input.k }}', rate: 4, period: 10s}
              - {id: clean, uses: m, needs: [c], if: '${{ always() }}'}
            """, """
            workflow: each
            cancel: cancel_running
            priority: 2
            limits: {max_concurrent_runs: 2, runs_per_minute: 20, run_key: '${{ input.k }}', max_concurrent_runs_per_key: 1}
            steps:
              - id: each
                uses: m
                with_items: [1, 2, 3, 4, 5]
                concurrency: 2
                with: {n: '${{ item }}'}
                flow_control: [{key: k, parallelism: 3}]
              - {id: nap, sleep: 7s, needs: [each]}
              - {id: last, uses: m, needs: [nap], optional: true, gate: {}}
            """, """
            workflow: mixed
            max_concurrent_steps: 2
            steps:
              - id: some
                uses: m
                with_items: '${{ range(input.n) }}'
                concurrency: 3
                batch_size: 2
                tolerate: 1
                retry: {max_attempts: 2, delay: 1s}
                on_failure: pause
              - id: pausing
                uses: m
                on_failure: pause
                on_needs_input: release
                retry: {max_attempts: 1, delay: 1s}
                flow_control: [{key: '${{ input.k }}', rate: 4, period: 10s, window: fixed}]
              - {id: skip, uses: m, if: '${{ input.n > 3 }}', optional: true}
              - {id: after, uses: m, needs: [skip]}
            """, """
            workflow: undone
            triggers:
              - {id: burst, event: told, debounce: {key: '${{ event.data.n }}', period: 3s, max_wait: 8s}}
              - {id: plain, event: told, if: '${{ event.data.n > 1 }}'}
            steps:
              - {id: make, uses: m, compensate: {uses: m, with: {undo: true}}}
              - {id: wait, wait_for: {signal: go, timeout: 1m}, needs: [make]}
              - {id: must, uses: m, requires: [input.must]}
              - {id: fragile, uses: m, needs: [wait], on_failure: compensate, retry: {max_attempts: 1, delay: 1s}}
            """, """
            workflow: calling
            limits: {max_concurrent_runs: 2}
            steps:
              - {id: child, invoke: {workflow: chain, input: {k: x}}, with_items: [1, 2, 3], concurrency: 2}
              - {id: tell, emit: {event: told, data: {n: 1}}, needs: [child], if: '${{ always() }}'}
            """, """
            workflow: quick
            steps:
              - {id: a, uses: q, retry: {max_attempts: 3, delay: 1s}, with: {n: '${{ input.n }}'}}
              - {id: b, uses: q, flow_control: [{key: '${{ input.k }}', rate: 40, period: 10s}]}
              - {id: c, uses: q, needs: [a, b]}
            """, """
            workflow: empty
            triggers:
              - {id: often, schedule: '* * * * *', missed: all}
              - {id: wrong, event: told, input: '${{ event.data.none.x }}'}
            steps: []
            """);

    /** The index of the workflow whose workers poll before anything is ready. */
    static final int QUICK_INDEX = 6;

    private RandomDefinitions() {}

    /** Returns the plan of a workflow in a given version. Versions differ only in their description. */
    static @Nullable Plan plan(String name, int version) {
        for (int index = 0; index < DEFINITIONS.size(); index++) {
            Workflow workflow = workflow(index, 1);
            if (workflow.name().equals(name)) {
                return Plan.of(workflow, version);
            }
        }
        return null;
    }

    /** Returns a workflow in a given version. */
    static Workflow workflow(int index, int version) {
        return WorkflowReader.read(DEFINITIONS.get(index) + "description: version " + version + "\n")
                .orThrow();
    }
}
