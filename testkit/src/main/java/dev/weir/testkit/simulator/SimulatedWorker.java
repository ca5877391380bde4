package dev.weir.testkit.simulator;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Update;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** A worker that polls, sends heartbeats and reports. It may die, pause, lose an answer, or report twice. */
final class SimulatedWorker {
    static final long POLL_MAX = 20 * SimulatedWorld.SECOND;
    private static final long BODY_MAX = 4 * SimulatedWorld.SECOND;
    private static final long STUBBORN_BODY = 50 * SimulatedWorld.SECOND;

    private final SimulatedWorld world;
    private final String name;
    private final Set<String> modules;
    private final int capacity;
    private final long lease;
    private boolean alive = true;
    private long pausedUntil;
    private int busy;
    private int requests;
    private String request = "";
    private @Nullable ClientCall<?> call;

    /** The chances of faults, in percent; all 0 once the faults are off. */
    static final class Faults {
        boolean on = true;

        int percent(int percent) {
            return on ? percent : 0;
        }
    }

    private final Faults faults;

    SimulatedWorker(SimulatedWorld world, String name, List<String> modules, Faults faults) {
        this.world = world;
        this.name = name;
        this.modules = new LinkedHashSet<>(modules);
        this.capacity = 1 + world.random.nextInt(4);
        this.lease = world.between(5, 12) * SimulatedWorld.SECOND;
        this.faults = faults;
    }

    /** Polls for work if there is room for more and no poll is open. */
    void poll() {
        if (!alive || paused() || busy >= capacity || !request.isEmpty()) {
            return;
        }
        requests++;
        request = name + "-" + requests;
        ask(request);
    }

    private void ask(String asked) {
        var serves = modules.stream().map(ClaimWork.Serves::new).toList();
        var work = new ClaimWork(asked, name, serves, Math.max(1, capacity - busy), lease);
        call = world.cluster.poll(work, modules, assignments -> answered(asked, assignments));
    }

    /** Claims the steps of one run that may start now, ahead of all polls. */
    void claim(String run) {
        if (alive && !paused()) {
            requests++;
            String asked = name + "-" + requests;
            world.send(new ClaimSteps(asked, name, run, modules, Set.of(), capacity, lease), answer -> {
                if (answer instanceof ClaimSteps.Answer.Claimed claimed
                        && !claimed.assignments().isEmpty()) {
                    world.checker.seen().add(Coverage.CLAIMED_DIRECTLY);
                    claimed.assignments().forEach(this::take);
                }
            });
        }
    }

    private void take(Assignment assignment) {
        busy++;
        world.later(world.between(0, 50_000), () -> body(assignment));
    }

    private void answered(String asked, List<Assignment> assignments) {
        if (!alive || !asked.equals(request)) {
            return;
        }
        if (!assignments.isEmpty() && world.chance(faults.percent(4))) {
            world.later(SimulatedWorld.SECOND, () -> askAgain(asked));
        } else {
            begin(assignments);
        }
    }

    /** Sends the same request again, because the answer was lost on its way. */
    private void askAgain(String asked) {
        if (alive && asked.equals(request)) {
            ask(asked);
        }
    }

    private void begin(List<Assignment> assignments) {
        request = "";
        assignments.forEach(this::take);
        poll();
    }

    private void body(Assignment assignment) {
        if (!alive) {
            return;
        }
        world.note(new Fact.BodyStarted(
                assignment.claim().unit(), assignment.claim().fence(), world.now()));
        var body = new Body(assignment);
        world.later(lease / 3, body::beat);
        world.later(body.length(), body::finish);
    }

    private boolean paused() {
        return pausedUntil > world.now();
    }

    void pause(long length) {
        pausedUntil = world.now() + length;
        world.checker.seen().add(Coverage.WORKER_PAUSED);
        world.later(length, this::poll);
    }

    /** Kills the worker with all its work. The node notices only after a while that nobody waits for the poll. */
    void kill() {
        alive = false;
        world.checker.seen().add(Coverage.WORKER_KILLED);
        ClientCall<?> open = call;
        if (open != null) {
            world.later(world.between(0, POLL_MAX), open::cancel);
        }
    }

    /** The work of one claim. */
    private final class Body {
        private final Assignment assignment;
        /** True if the work takes long and ignores requests to stop. */
        private final boolean stubborn;

        private boolean over;

        Body(Assignment assignment) {
            this.assignment = assignment;
            this.stubborn = world.chance(faults.percent(6));
        }

        long length() {
            return stubborn ? STUBBORN_BODY : world.between(1_000, BODY_MAX);
        }

        void beat() {
            if (over || !alive) {
                return;
            }
            if (!paused() && !world.chance(faults.percent(10))) {
                var claim = assignment.claim();
                world.send(new Heartbeat(claim.unit(), claim.fence()), this::beaten);
            }
            world.later(lease / 3, this::beat);
        }

        private void beaten(Heartbeat.Answer answer) {
            switch (answer) {
                case Heartbeat.Answer.ClaimLost ignored -> end();
                case Heartbeat.Answer.Extended extended -> {
                    if (extended.cancelRequested() && !stubborn) {
                        world.later(10_000, this::finish);
                    }
                }
            }
        }

        private void end() {
            if (!over) {
                over = true;
                busy--;
                poll();
            }
        }

        void finish() {
            if (over || !alive) {
                return;
            }
            if (paused()) {
                world.later(pausedUntil - world.now() + 1, this::finish);
                return;
            }
            if (world.chance(faults.percent(6))) {
                world.later(world.between(lease, 2 * lease), this::finish);
                return;
            }
            Update update = outcome();
            world.later(world.between(0, 200_000), () -> report(update));
            if (world.chance(faults.percent(10))) {
                world.checker.seen().add(Coverage.REPORT_DOUBLED);
                world.later(world.between(0, 2 * lease), () -> report(update));
            }
            end();
        }

        private void report(Update update) {
            var claim = assignment.claim();
            world.send(new UpdateStep(claim.unit(), claim.fence(), update), answer -> {
                boolean kept = answer == UpdateStep.Answer.APPLIED || answer == UpdateStep.Answer.REPLAYED;
                if (update instanceof Update.NeedsInput && kept) {
                    world.later(
                            world.between(0, 3 * BODY_MAX), () -> new SimulatedApprover(world).answer(claim.unit()));
                }
            });
            if (world.chance(faults.percent(25))) {
                new SimulatedApprover(world).changeMind(claim.unit().run());
            }
            if (world.chance(10)) {
                claim(claim.unit().run());
            }
        }

        private Update outcome() {
            int draw = world.random.nextInt(100);
            if (faults.on && draw < 12) {
                world.checker.seen().add(Coverage.FAILED);
                long later = world.chance(30) ? world.between(0, 10 * SimulatedWorld.SECOND) : Update.Failed.NOT_SAID;
                return new Update.Failed("no luck", false, later);
            }
            if (faults.on && draw < 16) {
                world.checker.seen().add(Coverage.FAILED_FOR_GOOD);
                return new Update.Failed("no use", true);
            }
            if (faults.on && draw < 25 && draw >= 21) {
                world.checker.seen().add(Coverage.NEEDED_INPUT);
                return new Update.NeedsInput(JsonNodeFactory.instance.stringNode("which?"));
            }
            if (faults.on && draw < 21) {
                world.checker.seen().add(Coverage.PUT_OFF);
                return new Update.Rescheduled(world.between(0, SimulatedWorld.SECOND));
            }
            return draw < 30
                    ? new Update.NoOp()
                    : new Update.Completed(JsonNodeFactory.instance.numberNode(assignment.attempt()));
        }
    }
}
