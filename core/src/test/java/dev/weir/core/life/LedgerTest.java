package dev.weir.core.life;

import static dev.weir.core.life.World.SECOND;
import static dev.weir.core.life.World.plan;
import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.Rate;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Tolerance;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Pin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The moves of random lives, applied to rows, give what memory says; and memory can be thrown away at any moment. */
@Tag("R0.6")
class LedgerTest {
    private static final int SEEDS = 400;
    private static final int COMMANDS = 150;
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private static final int PARALLELISM = 3;
    private static final List<Plan> PLANS = plans();

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void moves_applied_to_rows_give_the_rows_of_memory_and_memory_can_be_lost(long seed) {
        var life = new Life(seed);
        for (int i = 0; i < COMMANDS; i++) {
            life.something();
            life.check();
        }
        life.drain();
    }

    private static List<Plan> plans() {
        var key = new FlowControl(Template.of("k"), PARALLELISM, null, 1, 1);
        var heavy = new FlowControl(Template.of("k"), PARALLELISM, null, 2, 1);
        var rate = new FlowControl(
                Template.of("${{ input.k }}"), null, new Rate(4, Duration.ofSeconds(10), Rate.Window.SLIDING), 1, 1);
        var ticks = new RunLimits(2, 1, 3, Duration.ofMillis(500));
        var few = new WorkflowLimits(2, 20, new WorkflowLimits.PerKey(Template.of("${{ input.k }}"), 1, null), 10);
        return List.of(
                plan(step("a").keys(key), step("b", "a").retry(3, Duration.ofSeconds(2))),
                plan(
                        ticks,
                        step("a").demand(3, false),
                        step("b").demand(null, true).onFailure(OnFailure.CONTINUE),
                        step("c", "a", "b").keys(heavy, rate),
                        step("clean", "c").when("always()")),
                plan(
                        RunLimits.NONE,
                        few,
                        new Workflow.Policy(null, CancelPolicy.CANCEL_RUNNING, 2),
                        step("each")
                                .items("[1, 2, 3, 4, 5]", 2)
                                .with("{'n': '${{ item }}'}")
                                .keys(key),
                        step("nap", "each").action(new Action.Sleep(Duration.ofSeconds(7))),
                        step("last", "nap").optional().gate()),
                plan(
                        World.steps(2),
                        step("some")
                                .items("range(input.n)", 3, 2, new Tolerance.Count(1))
                                .retry(2, Duration.ofSeconds(1)),
                        step("pausing")
                                .onFailure(OnFailure.PAUSE)
                                .retry(1, Duration.ofSeconds(1))
                                .keys(rate),
                        step("skip").when("input.n > 3").optional(),
                        step("after", "skip")),
                plan(
                        World.steps(2),
                        step("many").gate().items("[1, 2, 3]", 2).keys(key).onNeedsInput(OnNeedsInput.RELEASE),
                        step("then", "many").keys(heavy).demand(null, true)));
    }

    /** One random life. */
    private static final class Life {
        private final Random random;
        private final World world = new World();
        private final Ledger ledger = new Ledger();
        private final List<Assignment> assignments = new ArrayList<>();
        private int applied;
        private int started;
        private int asked;

        Life(long seed) {
            random = new Random(seed);
        }

        void something() {
            switch (random.nextInt(21)) {
                case 0, 1, 2 -> start();
                case 3, 4, 5, 6 -> claim();
                case 7, 8, 9, 10 -> report();
                case 11 -> beat();
                case 12 -> world.now += random.nextLong(40 * SECOND);
                case 13 -> world.pass(random.nextLong(3 * SECOND));
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
                default -> world.advance();
            }
        }

        private void start() {
            Plan plan = PLANS.get(random.nextInt(PLANS.size()));
            String input = "{'k': 'key-" + random.nextInt(2) + "', 'n': " + random.nextInt(7) + "}";
            world.handle(StartRun.of("r" + started, plan, World.json(input)));
            started++;
        }

        private void claim() {
            asked++;
            if (random.nextInt(4) == 0) {
                var answer = world.handle(new ClaimSteps(
                        "q" + asked, "w", run(), Set.of(), Set.of(), 1 + random.nextInt(3), World.LEASE));
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
                case 0 -> new Update.Failed("e" + random.nextInt(2), random.nextInt(3) == 0);
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

        private void beat() {
            if (!assignments.isEmpty()) {
                world.beat(assignments.get(random.nextInt(assignments.size())));
            }
        }

        private void operateRun() {
            switch (random.nextInt(4)) {
                case 0 -> world.handle(new PauseRun(run()));
                case 1 -> world.handle(new ResumeRun(run()));
                case 2 -> world.handle(new OverrideRun(run(), new RunGate.Overrides(1 + random.nextInt(3), null)));
                default -> world.handle(new OverrideRun(run(), null));
            }
        }

        private void operateKey() {
            long until = world.now + random.nextLong(20 * SECOND);
            switch (random.nextInt(5)) {
                case 0 -> world.handle(new PauseKey(KEY, until));
                case 1 -> world.handle(new ResumeKey(KEY));
                case 2 -> world.handle(new PinKey(KEY, new Pin(1 + random.nextInt(PARALLELISM), null, until)));
                case 3 -> world.handle(new UnpinKey(KEY));
                default -> world.handle(new ResetRate(new LimitId.Key("key-1")));
            }
        }

        private String run() {
            return "r" + (started == 0 ? 0 : random.nextInt(started));
        }

        private void restart() {
            settle();
            world.org = Organisation.restore(ledger.rows(world.now), world.now);
        }

        private void settle() {
            ledger.apply(world.moves.subList(applied, world.moves.size()));
            applied = world.moves.size();
        }

        void check() {
            settle();
            Rows kept = ledger.rows(world.now);
            assertThat(rowsNow()).isEqualTo(kept.withStarts(List.of()));
            Map<LimitId, Integer> used = new HashMap<>();
            for (Claim claim : kept.claims()) {
                for (Need need : claim.ask().needs()) {
                    used.merge(need.limit(), need.weight(), Integer::sum);
                }
            }
            assertThat(used.getOrDefault(KEY, 0)).isLessThanOrEqualTo(PARALLELISM);
            checkRuns(kept);
        }

        /** An exclusive step runs alone, slots are kept to, and of the runs of a key one goes on. */
        private static void checkRuns(Rows kept) {
            Map<String, List<Claim>> byRun = kept.claims().stream()
                    .collect(Collectors.groupingBy(claim -> claim.unit().run()));
            byRun.values().forEach(claims -> {
                boolean exclusive =
                        claims.stream().anyMatch(claim -> claim.ask().exclusive());
                assertThat(claims.size()).isLessThanOrEqualTo(exclusive ? 1 : Integer.MAX_VALUE);
            });
            Map<LimitId, Integer> places = new HashMap<>();
            for (RunRow run : kept.runs()) {
                int slots = byRun.getOrDefault(run.id(), List.of()).stream()
                        .mapToInt(claim -> claim.ask().slots())
                        .sum();
                assertThat(slots)
                        .isLessThanOrEqualTo(run.request().plan().runLimits().maxSlots());
                for (Need need : run.startedAt() == RunRow.NOT_STARTED
                        ? List.<Need>of()
                        : run.ask().needs()) {
                    if (need.limit() instanceof LimitId.RunKey key) {
                        assertThat(places.merge(key, 1, Integer::sum)).isLessThanOrEqualTo(need.parallelism());
                    }
                }
            }
        }

        /** Rows at the time of the world, which may have gone on since the organisation last heard of it. */
        private Rows rowsNow() {
            world.handle(new EndPoll("nobody"));
            return world.org.rows();
        }

        /** With faithful workers and operators everything ends, and nothing is left behind. */
        void drain() {
            for (int i = 0; i < 2_000 && !world.org.rows().runs().isEmpty(); i++) {
                for (Assignment each : world.poll(50)) {
                    world.complete(each, "1");
                }
                for (RunRow row : world.org.rows().runs()) {
                    world.handle(new ResumeRun(row.id()));
                    world.handle(new ApproveStep(row.id(), "last", "me", null));
                    world.handle(new ApproveStep(row.id(), "many", "me", null));
                }
                for (StepRow row : world.org.rows().steps()) {
                    if (row.state() == StepState.NEEDS_INPUT) {
                        world.handle(new ProvideInput(row.id(), World.json("1")));
                    }
                }
                world.pass(SECOND);
                check();
            }
            assertThat(world.org.rows().runs()).isEmpty();
            assertThat(world.org.rows().claims()).isEmpty();
            assertThat(world.org.limits(world.now)).allSatisfy(limit -> {
                assertThat(limit.used()).as("held of %s", limit.limit()).isZero();
                assertThat(limit.waiting()).as("waiting for %s", limit.limit()).isZero();
            });
        }
    }
}
