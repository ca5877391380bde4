package dev.weir.forecast;

import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.EndPoll;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.BuiltInModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Polls for work like real workers: pools of the organisation's own, and Weir's own for built-in modules. */
final class SimulatedWorkers {
    /** The lease of all claims. It is so long that only attempts of more than half an hour need a heartbeat. */
    static final long LEASE = ClaimWork.LEASE_MAX;

    private final List<Pool> pools = new ArrayList<>();

    /** Creates workers that serve all modules of a workflow. */
    SimulatedWorkers(Workflow workflow, int count) {
        this(List.of(new WorkerPool(modules(workflow), count)));
    }

    SimulatedWorkers(List<WorkerPool> own) {
        for (WorkerPool pool : own) {
            pools.add(new Pool("worker-" + pools.size(), pool.modules(), pool.size()));
        }
        var served = List.of(BuiltInModule.CALL, BuiltInModule.INVOKE, BuiltInModule.EMIT);
        pools.add(new Pool("weir", served, ForecastScenario.UNLIMITED));
    }

    private static List<String> modules(Workflow workflow) {
        return workflow.steps().stream()
                .map(Step::action)
                .filter(Action.Uses.class::isInstance)
                .map(action -> ((Action.Uses) action).module())
                .distinct()
                .toList();
    }

    /** Returns the commands after which all free workers wait for work. */
    List<Command<?>> poll() {
        List<Command<?>> commands = new ArrayList<>();
        pools.forEach(pool -> pool.poll(commands));
        return commands;
    }

    /** Records that a poll was answered with that many claims. Returns the pool that has them. */
    Pool recordAnswer(String request, int claims) {
        for (Pool pool : pools) {
            if (pool.hasOpenPoll(request)) {
                pool.recordAnswer(claims);
                return pool;
            }
        }
        throw new IllegalStateException("expected an open poll, found none with the request id " + request);
    }

    /** Finds the pool that works for a module, for an attempt that is already under way. */
    Optional<Pool> findPool(String module) {
        return pools.stream().filter(pool -> pool.modules.contains(module)).findFirst();
    }

    /** Workers that serve the same modules and share one poll. */
    static final class Pool {
        private final String name;
        private final List<String> modules;
        private final int size;
        private int busy;
        private int requestCount;
        private int requestedClaims;

        private Pool(String name, List<String> modules, int size) {
            this.name = name;
            this.modules = modules;
            this.size = size;
        }

        private String requestId() {
            return name + "-" + requestCount;
        }

        private boolean hasOpenPoll(String request) {
            return requestedClaims > 0 && requestId().equals(request);
        }

        private void poll(List<Command<?>> commands) {
            int freeWorkers = Math.max(0, Math.min(size - busy, ClaimWork.CLAIMS_MAX));
            if (freeWorkers == requestedClaims || modules.isEmpty()) {
                return;
            }
            if (requestedClaims > 0) {
                commands.add(new EndPoll(requestId()));
            }
            requestedClaims = freeWorkers;
            if (freeWorkers > 0) {
                requestCount++;
                var serves = modules.stream().map(ClaimWork.ServedModule::new).toList();
                commands.add(new ClaimWork(requestId(), name, serves, freeWorkers, LEASE));
            }
        }

        private void recordAnswer(int claims) {
            requestedClaims = 0;
            busy += claims;
        }

        void recordAttemptBegin() {
            busy++;
        }

        void recordAttemptEnd() {
            busy--;
        }
    }
}
