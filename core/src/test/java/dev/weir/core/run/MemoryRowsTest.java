package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.AbandonStep;
import dev.weir.core.command.AmendInput;
import dev.weir.core.command.AmendOutput;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.EndPoll;
import dev.weir.core.command.ExtendDeadline;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.ResetRate;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.RevokeApproval;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Claim;
import dev.weir.core.state.MemoryRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applies the moves of random histories to rows and compares these with memory, which may be discarded at any moment.
 */
@Tag("R0.6")
class MemoryRowsTest {
    private static final int SEEDS = 400;
    private static final int COMMANDS = 150;
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private static final int PARALLELISM = RestartPlans.PARALLELISM;
    private static final List<Plan> PLANS = RestartPlans.all();

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void moves_applied_to_rows_give_the_rows_of_memory_and_memory_can_be_lost(long seed) {
        var history = new RandomHistory(seed);
        for (int i = 0; i < COMMANDS; i++) {
            history.doRandomAction();
            history.check();
        }
        history.drain();
    }

    /** One random history of an organisation. */
    private static final class RandomHistory {
        private final Random random;
        private final World world = new World();
        private final MemoryRows memoryRows = new MemoryRows();
        private final List<Assignment> assignments = new ArrayList<>();
        private int applied;
        private int started;
        private int requests;

        RandomHistory(long seed) {
            RestartPlans.invoked()
                    .forEach(plan -> world.plans.put(plan.workflow().name(), plan));
            random = new Random(seed);
        }

        void doRandomAction() {
            switch (random.nextInt(23)) {
                case 0, 1, 2 -> start();
                case 3, 4, 5, 6 -> claim();
                case 7, 8, 9, 10 -> report();
                case 11 -> heartbeat();
                case 12 -> world.now += random.nextLong(40 * SECOND);
                case 13 -> world.passTime(random.nextLong(3 * SECOND));
                case 14 -> restart();
                case 15 ->
                    world.handle(new CancelRun(run(), random.nextBoolean() ? null : CancelPolicy.CANCEL_RUNNING, "x"));
                case 16 -> operateRun();
                case 17 -> operateKey();
                case 18 -> {
                    world.handle(new ApproveStep(run(), "last", "me", null));
                    world.handle(new ApproveStep(run(), "many", "me", "go"));
                    world.handle(new RevokeApproval(run(), "last", "me", null));
                    world.handle(new RevokeApproval(run(), "many", "me", "no"));
                    world.handle(new SkipStep(run(), "skip"));
                }
                case 19 -> answer();
                case 20 -> amend();
                case 21 -> retry();
                default -> world.advance();
            }
        }

        private void start() {
            Plan plan = PLANS.get(random.nextInt(PLANS.size()));
            String input = "{'k': 'key-" + random.nextInt(2) + "', 'n': " + random.nextInt(7) + "}";
            long delay = random.nextInt(4) == 0 ? random.nextLong(20 * SECOND) : 0;
            List<String> targets = random.nextInt(6) == 0 ? List.of(plan.stepIdAt(0)) : List.of();
            var options = new RunRequest.Options(delay, targets);
            var labels = new TreeMap<String, String>();
            world.handle(new StartRun(
                    new RunRequest("r" + started, plan, World.json(input), 0, null, labels, options, RunLineage.NONE)));
            started++;
        }

        private void claim() {
            requests++;
            if (random.nextInt(4) == 0) {
                var answer = world.handle(new ClaimSteps(
                        "q" + requests, "w", run(), Set.of(), Set.of(), 1 + random.nextInt(3), World.LEASE));
                if (answer instanceof ClaimSteps.Answer.Claimed claimed) {
                    assignments.addAll(claimed.assignments());
                }
            } else {
                assignments.addAll(world.poll(1 + random.nextInt(4)));
            }
        }

        private void report() {
            if (assignments.isEmpty()) {
                return;
            }
            Assignment one = assignments.get(random.nextInt(assignments.size()));
            Update update = switch (random.nextInt(7)) {
                case 6 -> new Update.NeedsInput(World.json("" + random.nextInt(2)));
                case 0 ->
                    new Update.Failed(
                            "e", random.nextInt(3) == 0, random.nextInt(3) == 0 ? random.nextLong(9 * SECOND) : 0);
                case 1 -> new Update.Rescheduled(random.nextLong(5 * SECOND));
                case 2 -> new Update.NoOp();
                default -> new Update.Completed(World.json("" + random.nextInt(3)));
            };
            world.handle(new UpdateStep(one.claim().unit(), one.claim().fence(), update));
        }

        private void answer() {
            if (!assignments.isEmpty()) {
                UnitId unit = assignments
                        .get(random.nextInt(assignments.size()))
                        .claim()
                        .unit();
                if (random.nextInt(4) == 0) {
                    world.handle(new AbandonStep(unit, "me", "no idea"));
                } else {
                    world.handle(new ProvideInput(unit, World.json("" + random.nextInt(2))));
                }
            }
        }

        /** Sends signals, amends missing data, and extends deadlines. */
        private void amend() {
            world.handle(new SendSignal(run(), "go", World.json("" + random.nextInt(5))));
            world.handle(
                    new AmendInput(run(), World.json("{'k': 'key-1', 'n': 2, 'more': " + random.nextInt(2) + "}")));
            world.handle(new AmendOutput(run(), "strict", World.json("" + random.nextInt(2)), "me"));
            world.handle(new ExtendDeadline(run(), world.now + random.nextLong(100 * SECOND)));
        }

        /** Retries a run that has ended, from its rows in the history. */
        private void retry() {
            String old = run();
            RunRow ended = null;
            Map<UnitId, StepRow> steps = new LinkedHashMap<>();
            for (Move move : world.moves) {
                if (move instanceof Move.RunMoved moved && moved.row().id().equals(old)) {
                    ended = moved.row();
                } else if (move instanceof Move.StepMoved moved
                        && moved.row().id().run().equals(old)) {
                    steps.put(moved.row().id(), moved.row());
                }
            }
            if (ended != null) {
                var retry = new RetryRun("r" + started, ended, List.copyOf(steps.values()));
                if (world.handle(retry) instanceof StartRun.Answer.Accepted) {
                    started++;
                }
            }
        }

        private void heartbeat() {
            if (!assignments.isEmpty()) {
                world.heartbeat(assignments.get(random.nextInt(assignments.size())));
            }
        }

        private void operateRun() {
            switch (random.nextInt(4)) {
                case 0 -> world.handle(new PauseRun(run()));
                case 1 -> world.handle(new ResumeRun(run()));
                case 2 -> world.handle(OverrideRun.replacing(run(), 1 + random.nextInt(3), null));
                default -> world.handle(OverrideRun.replacing(run(), null, null));
            }
        }

        private void operateKey() {
            long until = world.now + random.nextLong(20 * SECOND);
            switch (random.nextInt(5)) {
                case 0 -> world.handle(new PauseKey(KEY, until));
                case 1 -> world.handle(new ResumeKey(KEY));
                case 2 -> world.handle(PinKey.of(KEY, 1 + random.nextInt(PARALLELISM), null, until));
                case 3 -> world.handle(new UnpinKey(KEY));
                default -> world.handle(new ResetRate(new LimitId.Key("key-1")));
            }
        }

        private String run() {
            List<RunRow> alive = world.org.rows().runs();
            return random.nextBoolean() && !alive.isEmpty()
                    ? alive.get(random.nextInt(alive.size())).id()
                    : "r" + (started == 0 ? 0 : random.nextInt(started));
        }

        private void restart() {
            settle();
            world.restart(memoryRows.rows(world.now));
        }

        private void settle() {
            memoryRows.apply(world.moves.subList(applied, world.moves.size()));
            applied = world.moves.size();
        }

        void check() {
            settle();
            OrganisationRows kept = memoryRows.rows(world.now);
            assertThat(rowsNow()).isEqualTo(kept.withStarts(List.of()));
            Map<LimitId, Integer> used = new HashMap<>();
            for (Claim claim : kept.claims()) {
                for (LimitNeed need : claim.limitNeeds().needs()) {
                    used.merge(need.limit(), need.weight(), Integer::sum);
                }
            }
            assertThat(used.getOrDefault(KEY, 0)).isLessThanOrEqualTo(PARALLELISM);
            checkRuns(kept);
        }

        /**
         * Checks that an exclusive step runs alone, that slots are within the limit, and that one run of a run key is
         * started.
         */
        private static void checkRuns(OrganisationRows kept) {
            Map<String, List<Claim>> byRun = kept.claims().stream()
                    .collect(Collectors.groupingBy(claim -> claim.unit().run()));
            byRun.values().forEach(claims -> {
                boolean exclusive =
                        claims.stream().anyMatch(claim -> claim.limitNeeds().exclusive());
                assertThat(claims.size()).isLessThanOrEqualTo(exclusive ? 1 : Integer.MAX_VALUE);
            });
            Map<LimitId, Integer> places = new HashMap<>();
            for (RunRow run : kept.runs()) {
                int slots = byRun.getOrDefault(run.id(), List.of()).stream()
                        .mapToInt(claim -> claim.limitNeeds().slots())
                        .sum();
                assertThat(slots)
                        .isLessThanOrEqualTo(run.request().plan().runLimits().maxSlots());
                for (LimitNeed need : run.startedAt() == RunRow.NOT_STARTED
                        ? List.<LimitNeed>of()
                        : run.limitNeeds().needs()) {
                    if (need.limit() instanceof LimitId.RunKey key) {
                        assertThat(places.merge(key, need.weight(), Integer::sum))
                                .isLessThanOrEqualTo(1);
                    }
                }
            }
        }

        /** Returns the rows at the world's time, which may be later than the organisation's last decision. */
        private OrganisationRows rowsNow() {
            world.handle(new EndPoll("nobody"));
            return world.org.rows();
        }

        /** Checks that with reliable workers and operators everything ends and nothing is left behind. */
        void drain() {
            for (int i = 0; i < 2_000 && !world.org.rows().runs().isEmpty(); i++) {
                for (Assignment each : world.poll(50)) {
                    world.complete(each, "1");
                }
                for (RunRow row : world.org.rows().runs()) {
                    world.handle(new ResumeRun(row.id()));
                    world.handle(new ApproveStep(row.id(), "last", "me", null));
                    world.handle(new ApproveStep(row.id(), "many", "me", null));
                    world.handle(new ApproveStep(row.id(), "nap", "me", null));
                    world.handle(new SendSignal(row.id(), "go", World.json("1")));
                    world.handle(new AmendInput(row.id(), World.json("{'k': 'key-1', 'n': 2, 'more': 1}")));
                    world.handle(new AmendOutput(row.id(), "strict", World.json("1"), "me"));
                }
                for (StepRow row : world.org.rows().steps()) {
                    if (row.state() == StepState.NEEDS_INPUT) {
                        world.handle(new ProvideInput(row.id(), World.json("1")));
                    }
                }
                world.passTime(SECOND);
                check();
            }
            assertThat(world.org.rows().runs()).isEmpty();
            assertThat(world.org.rows().claims()).isEmpty();
            assertThat(world.org.limits(world.now)).allSatisfy(limit -> {
                assertThat(limit.used()).as("held of %s", limit.limit()).isZero();
                assertThat(limit.totalWaiting())
                        .as("waiting for %s", limit.limit())
                        .isZero();
            });
        }
    }
}
