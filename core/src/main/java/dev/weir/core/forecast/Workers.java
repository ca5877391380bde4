package dev.weir.core.forecast;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.life.BuiltIn;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.core.life.EndPoll;
import java.util.ArrayList;
import java.util.List;

/** Asks for work as workers do: those of the organisation, as many as there are, and Weir's own for what is built in. */
final class Workers {
    /** Long enough that only bodies of more than half an hour need a heartbeat. */
    static final long LEASE = ClaimWork.LEASE_MAX;

    private final Pool own;
    private final Pool builtIn;

    Workers(Workflow workflow, int count) {
        this.own = new Pool("worker", modules(workflow), count);
        var served = List.of(BuiltIn.CALL, BuiltIn.INVOKE, BuiltIn.EMIT);
        this.builtIn = new Pool("weir", served, Scenario.UNLIMITED);
    }

    private static List<String> modules(Workflow workflow) {
        return workflow.steps().stream()
                .map(Step::action)
                .filter(Action.Uses.class::isInstance)
                .map(action -> ((Action.Uses) action).module())
                .distinct()
                .toList();
    }

    /** What has to be asked so that all who have time are waiting for work. */
    List<Command<?>> ask() {
        List<Command<?>> commands = new ArrayList<>();
        own.ask(commands);
        builtIn.ask(commands);
        return commands;
    }

    /** A poll was answered with so many claims. */
    void answered(String request, int claims) {
        (own.asked(request) ? own : builtIn).answered(claims);
    }

    void bodyEnded(String module) {
        (own.modules.contains(module) ? own : builtIn).busy--;
    }

    /** Workers that serve the same modules, and ask with one poll. */
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
