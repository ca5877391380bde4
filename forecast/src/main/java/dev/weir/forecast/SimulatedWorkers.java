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

/** Polls for work like real workers: a given number of the organisation's own, and Weir's own for built-in modules. */
final class SimulatedWorkers {
    /** The lease of all claims. It is so long that only attempts of more than half an hour need a heartbeat. */
    static final long LEASE = ClaimWork.LEASE_MAX;

    private final Pool orgPool;
    private final Pool builtInPool;

    SimulatedWorkers(Workflow workflow, int count) {
        this.orgPool = new Pool("worker", modules(workflow), count);
        var served = List.of(BuiltInModule.CALL, BuiltInModule.INVOKE, BuiltInModule.EMIT);
        this.builtInPool = new Pool("weir", served, ForecastScenario.UNLIMITED);
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
        orgPool.poll(commands);
        builtInPool.poll(commands);
        return commands;
    }

    /** Records that a poll was answered with that many claims. */
    void recordAnswer(String request, int claims) {
        (orgPool.hasOpenPoll(request) ? orgPool : builtInPool).recordAnswer(claims);
    }

    void recordAttemptEnd(String module) {
        (orgPool.modules.contains(module) ? orgPool : builtInPool).busy--;
    }

    /** Workers that serve the same modules and share one poll. */
    private static final class Pool {
        final String name;
        final List<String> modules;
        final int size;
        int busy;
        private int requestCount;
        private int requestedClaims;

        Pool(String name, List<String> modules, int size) {
            this.name = name;
            this.modules = modules;
            this.size = size;
        }

        private String requestId() {
            return name + "-" + requestCount;
        }

        boolean hasOpenPoll(String request) {
            return requestedClaims > 0 && requestId().equals(request);
        }

        void poll(List<Command<?>> commands) {
            int freeWorkers = Math.min(size - busy, ClaimWork.CLAIMS_MAX);
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

        void recordAnswer(int claims) {
            requestedClaims = 0;
            busy += claims;
        }
    }
}
