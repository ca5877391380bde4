package dev.weir.core.forecast;

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

    private final Pool own;
    private final Pool builtIn;

    SimulatedWorkers(Workflow workflow, int count) {
        this.own = new Pool("worker", modules(workflow), count);
        var served = List.of(BuiltInModule.CALL, BuiltInModule.INVOKE, BuiltInModule.EMIT);
        this.builtIn = new Pool("weir", served, ForecastScenario.UNLIMITED);
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
    List<Command<?>> ask() {
        List<Command<?>> commands = new ArrayList<>();
        own.ask(commands);
        builtIn.ask(commands);
        return commands;
    }

    /** Records that a poll was answered with that many claims. */
    void answered(String request, int claims) {
        (own.asked(request) ? own : builtIn).answered(claims);
    }

    void bodyEnded(String module) {
        (own.modules.contains(module) ? own : builtIn).busy--;
    }

    /** Workers that serve the same modules and share one poll. */
    private static final class Pool {
        final String name;
        final List<String> modules;
        final int size;
        int busy;
        private int requests;
        private int asking;

        Pool(String name, List<String> modules, int size) {
            this.name = name;
            this.modules = modules;
            this.size = size;
        }

        private String request() {
            return name + "-" + requests;
        }

        boolean asked(String request) {
            return asking > 0 && request().equals(request);
        }

        void ask(List<Command<?>> commands) {
            int free = Math.min(size - busy, ClaimWork.CLAIMS_MAX);
            if (free == asking || modules.isEmpty()) {
                return;
            }
            if (asking > 0) {
                commands.add(new EndPoll(request()));
            }
            asking = free;
            if (free > 0) {
                requests++;
                var serves = modules.stream().map(ClaimWork.Serves::new).toList();
                commands.add(new ClaimWork(request(), name, serves, free, LEASE));
            }
        }

        void answered(int claims) {
            asking = 0;
            busy += claims;
        }
    }
}
