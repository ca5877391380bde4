package dev.weir.simulator;

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
    static final long POLL_TIMEOUT = 20 * SimulatedWorld.SECOND;
    private static final long WORK_TIME_MAX = 4 * SimulatedWorld.SECOND;
    private static final long STUBBORN_WORK_TIME = 50 * SimulatedWorld.SECOND;

    private final SimulatedWorld world;
    private final String name;
    private final Set<String> modules;
    private final int capacity;
    private final long lease;
    private boolean alive = true;
    private long pausedUntil;
    private int runningCount;
    private int requests;
    private String openRequest = "";
    private @Nullable ClientCall<?> openCall;

    /** The chances of faults, in percent; all 0 once the faults are off. */
    static final class Faults {
        boolean enabled = true;

        int percent(int percent) {
            return enabled ? percent : 0;
        }
    }

    private final Faults faults;

    SimulatedWorker(SimulatedWorld world, String name, List<String> modules, Faults faults) {
        this.world = world;
        this.name = name;
        this.modules = new LinkedHashSet<>(modules);
        this.capacity = 1 + world.random.nextInt(4);
        this.lease = world.randomBetween(5, 12) * SimulatedWorld.SECOND;
        this.faults = faults;
    }

    /** Polls for work if there is room for more and no poll is open. */
    void poll() {
        if (!alive || isPaused() || runningCount >= capacity || !openRequest.isEmpty()) {
            return;
        }
        requests++;
        openRequest = name + "-" + requests;
        sendPoll(openRequest);
    }

    private void sendPoll(String requestId) {
        var serves = modules.stream().map(ClaimWork.ServedModule::new).toList();
        var work = new ClaimWork(requestId, name, serves, Math.max(1, capacity - runningCount), lease);
        openCall = world.cluster.poll(work, modules, assignments -> handleAnswer(requestId, assignments));
    }

    /** Claims the steps of one run that may start now, ahead of all polls. */
    void claim(String run) {
        if (alive && !isPaused()) {
            requests++;
            String requestId = name + "-" + requests;
            world.send(new ClaimSteps(requestId, name, run, modules, Set.of(), capacity, lease), answer -> {
                if (answer instanceof ClaimSteps.Answer.Claimed claimed
                        && !claimed.assignments().isEmpty()) {
                    world.checker.coverage().add(Coverage.CLAIMED_DIRECTLY);
                    claimed.assignments().forEach(this::accept);
                }
            });
        }
    }

    private void accept(Assignment assignment) {
        runningCount++;
        world.schedule(world.randomBetween(0, 50_000), () -> startWork(assignment));
    }

    private void handleAnswer(String requestId, List<Assignment> assignments) {
        if (!alive || !requestId.equals(openRequest)) {
            return;
        }
        if (!assignments.isEmpty() && world.chance(faults.percent(4))) {
            world.schedule(SimulatedWorld.SECOND, () -> repeatPoll(requestId));
        } else {
            startAll(assignments);
        }
    }

    /** Sends the same request again, because the answer was lost on its way. */
    private void repeatPoll(String requestId) {
        if (alive && requestId.equals(openRequest)) {
            sendPoll(requestId);
        }
    }

    private void startAll(List<Assignment> assignments) {
        openRequest = "";
        assignments.forEach(this::accept);
        poll();
    }

    private void startWork(Assignment assignment) {
        if (!alive) {
            return;
        }
        world.note(new Fact.WorkStarted(
                assignment.claim().unit(), assignment.claim().fence(), world.now()));
        var attempt = new WorkAttempt(assignment);
        world.schedule(lease / 3, attempt::sendHeartbeat);
        world.schedule(attempt.duration(), attempt::finish);
    }

    private boolean isPaused() {
        return pausedUntil > world.now();
    }

    void pause(long length) {
        pausedUntil = world.now() + length;
        world.checker.coverage().add(Coverage.WORKER_PAUSED);
        world.schedule(length, this::poll);
    }

    /** Kills the worker with all its work. The node notices only after a while that nobody waits for the poll. */
    void kill() {
        alive = false;
        world.checker.coverage().add(Coverage.WORKER_KILLED);
        ClientCall<?> open = openCall;
        if (open != null) {
            world.schedule(world.randomBetween(0, POLL_TIMEOUT), open::cancel);
        }
    }

    /** The work of one claim. */
    private final class WorkAttempt {
        private final Assignment assignment;
        /** True if the work takes long and ignores requests to stop. */
        private final boolean stubborn;

        private boolean finished;

        WorkAttempt(Assignment assignment) {
            this.assignment = assignment;
            this.stubborn = world.chance(faults.percent(6));
        }

        long duration() {
            return stubborn ? STUBBORN_WORK_TIME : world.randomBetween(1_000, WORK_TIME_MAX);
        }

        void sendHeartbeat() {
            if (finished || !alive) {
                return;
            }
            if (!isPaused() && !world.chance(faults.percent(10))) {
                var claim = assignment.claim();
                world.send(new Heartbeat(claim.unit(), claim.fence()), this::handleHeartbeatAnswer);
            }
            world.schedule(lease / 3, this::sendHeartbeat);
        }

        private void handleHeartbeatAnswer(Heartbeat.Answer answer) {
            switch (answer) {
                case Heartbeat.Answer.ClaimLost ignored -> end();
                case Heartbeat.Answer.Extended extended -> {
                    if (extended.cancelRequested() && !stubborn) {
                        world.schedule(10_000, this::finish);
                    }
                }
            }
        }

        private void end() {
            if (!finished) {
                finished = true;
                runningCount--;
                poll();
            }
        }

        void finish() {
            if (finished || !alive) {
                return;
            }
            if (isPaused()) {
                world.schedule(pausedUntil - world.now() + 1, this::finish);
                return;
            }
            if (world.chance(faults.percent(6))) {
                world.schedule(world.randomBetween(lease, 2 * lease), this::finish);
                return;
            }
            Update update = randomUpdate();
            world.schedule(world.randomBetween(0, 200_000), () -> report(update));
            if (world.chance(faults.percent(10))) {
                world.checker.coverage().add(Coverage.REPORT_REPEATED);
                world.schedule(world.randomBetween(0, 2 * lease), () -> report(update));
            }
            end();
        }

        private void report(Update update) {
            var claim = assignment.claim();
            world.send(new UpdateStep(claim.unit(), claim.fence(), update), answer -> {
                boolean committed = answer == UpdateStep.Answer.APPLIED || answer == UpdateStep.Answer.REPLAYED;
                if (update instanceof Update.NeedsInput && committed) {
                    world.schedule(
                            world.randomBetween(0, 3 * WORK_TIME_MAX),
                            () -> new SimulatedApprover(world).answerInputRequest(claim.unit()));
                }
            });
            if (world.chance(faults.percent(25))) {
                new SimulatedApprover(world).approveAndRevoke(claim.unit().run());
            }
            if (world.chance(10)) {
                claim(claim.unit().run());
            }
        }

        private Update randomUpdate() {
            int draw = world.random.nextInt(100);
            if (faults.enabled && draw < 12) {
                world.checker.coverage().add(Coverage.FAILED);
                long retryAfter = world.chance(30)
                        ? world.randomBetween(0, 10 * SimulatedWorld.SECOND)
                        : Update.Failed.NO_RETRY_AFTER;
                return new Update.Failed("no luck", false, retryAfter);
            }
            if (faults.enabled && draw < 16) {
                world.checker.coverage().add(Coverage.FAILED_PERMANENTLY);
                return new Update.Failed("no use", true);
            }
            if (faults.enabled && draw < 25 && draw >= 21) {
                world.checker.coverage().add(Coverage.NEEDED_INPUT);
                return new Update.NeedsInput(JsonNodeFactory.instance.stringNode("which?"));
            }
            if (faults.enabled && draw < 21) {
                world.checker.coverage().add(Coverage.RESCHEDULED);
                return new Update.Rescheduled(world.randomBetween(0, SimulatedWorld.SECOND));
            }
            return draw < 30
                    ? new Update.NoOp()
                    : new Update.Completed(JsonNodeFactory.instance.numberNode(assignment.attempt()));
        }
    }
}
