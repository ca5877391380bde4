package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the usage of limits follows from the live claims, whatever memory held before. */
@Tag("R0.6")
class UsageCheckTest {
    private static final long SECOND = 1_000_000;
    private static final LimitId.Key KEY = new LimitId.Key("billing-api");

    private final Bench bench = new Bench();
    private final FanOutLimit items = new FanOutLimit(2);
    /** Number of times that claimants were asked for their claim. */
    private long asked;

    /** Creates a run with four places and five slots, and two items in flight of a fan-out that has no third place. */
    private Bench.Run busyRun() {
        bench.poll("m", 10_000);
        var run = bench.run(new RunLimitValues(4, 5, RunLimitValues.UNLIMITED, SECOND));
        run.ready("i0", item());
        run.ready("i1", item());
        assertThat(bench.pass()).containsExactly("i0", "i1");
        return run;
    }

    private TicketSpec item() {
        return new TicketSpec("m", List.of(), new TicketSpec.Local(1, false, items), 0);
    }

    private static TicketSpec slots(int slots, boolean exclusive) {
        return new TicketSpec("m", List.of(), new TicketSpec.Local(slots, exclusive, null), 0);
    }

    private static RunAllocations holders(Bench.Run run) {
        return Objects.requireNonNull(run.gate.holders);
    }

    /** One total that is wrong, in either direction. */
    record Corruption(String name, Consumer<RunAllocations> how) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Corruption> corruptions() {
        return Stream.of(
                new Corruption("steps, too many", holders -> holders.inFlight = 99),
                new Corruption("steps, too few", holders -> holders.inFlight = -99),
                new Corruption("slots, too many", holders -> holders.slots = 99),
                new Corruption("slots, too few", holders -> holders.slots = -99),
                new Corruption("exclusive", holders -> holders.exclusive = true),
                new Corruption("waiting for a person", holders -> holders.resting = 99),
                new Corruption("slots waiting for a person", holders -> holders.restingSlots = 99),
                new Corruption("items, too many", holders -> fanOut(holders).inFlight = 99),
                new Corruption("items, too few", holders -> fanOut(holders).inFlight = -99));
    }

    private static FanOutLimit fanOut(RunAllocations holders) {
        return Objects.requireNonNull(holders.get(0).local().fanOut());
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void the_next_pass_derives_what_a_run_has_in_flight(Corruption corruption) {
        var run = busyRun();
        corruption.how.accept(holders(run));
        bench.now += SECOND;
        run.ready("i2", item());
        run.ready("wide", slots(4, false));
        run.ready("alone", slots(1, true));
        run.ready("narrow", slots(1, false));
        run.ready("other", slots(1, false));
        run.ready("late", slots(1, false));
        assertThat(bench.pass())
                .as("two places and three slots are free, but no place of the fan-out")
                .containsExactly("narrow", "other");
        List.of("i0", "narrow", "other").forEach(bench::finish);
        assertThat(bench.pass()).containsExactly("i2", "late");
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void the_sweep_corrects_what_a_run_has_in_flight_and_says_so(Corruption corruption) {
        var run = busyRun();
        bench.now += SECOND;
        bench.pass();
        assertThat(bench.admission.correct(run.gate, bench.now)).isEmpty();
        corruption.how.accept(holders(run));
        assertThat(bench.admission.correct(run.gate, bench.now))
                .singleElement()
                .satisfies(words -> assertThat(words).startsWith("run 0: expected 2 steps with 2 slots"));
        assertThat(bench.admission.correct(run.gate, bench.now)).isEmpty();
    }

    @Test
    void a_run_that_waits_for_places_nobody_holds_goes_on_after_the_sweep() {
        bench.poll("m", 10_000);
        var run = bench.run(RunLimitValues.steps(1));
        run.ready("first", TicketSpec.of("m"));
        bench.pass();
        run.ready("second", TicketSpec.of("m"));
        bench.pass();
        bench.finish("first");
        holders(run).inFlight = 1;
        assertThat(bench.pass()).as("in the pass that derived it before").isEmpty();
        assertThat(bench.admission.correct(run.gate, bench.now)).hasSize(1);
        assertThat(bench.pass()).containsExactly("second");
    }

    @Test
    void the_sweep_corrects_what_a_shared_limit_has_in_use_and_those_who_wait_go_on() {
        bench.poll("m", 10_000);
        var run = bench.run(RunLimitValues.NONE);
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 2));
        run.ready("first", spec);
        bench.pass();
        SharedLimit limit = bench.holding("first").demands().getFirst().limit;
        limit.used = 99;
        run.ready("second", spec);
        run.ready("third", spec);
        bench.now += SECOND;
        assertThat(bench.pass()).isEmpty();
        assertThat(bench.admission.correctLimits(bench.now))
                .containsExactly("key:billing-api: expected 1 in use (0 wait for a person), found 99 (0)");
        assertThat(bench.pass()).containsExactly("second");
        limit.used = 0;
        limit.resting = 7;
        assertThat(bench.admission.correctLimits(bench.now)).hasSize(1);
        assertThat(bench.pass()).as("both places are taken").isEmpty();
        assertThat(limit.willFit(bench.holding("first").demands().getFirst())).isTrue();
        assertThat(bench.admission.correctLimits(bench.now)).isEmpty();
    }

    /**
     * A subject that can lose its claim without returning its allocation, and counts how often it is asked for the
     * claim.
     */
    private final class Claimant implements Subject {
        private boolean alive = true;

        @Override
        public boolean holds(Allocation holding) {
            asked++;
            return alive;
        }

        @Override
        public String toString() {
            return "claimant";
        }
    }

    private Claimant start(RunLimiter run, TicketSpec spec, long number) {
        var claimant = new Claimant();
        bench.admission.enqueue(run, spec, new Ticket.Entry(claimant, bench.now, number, 0), bench.now);
        return claimant;
    }

    @Test
    @Tag("R0.7")
    void a_claim_that_has_ended_without_giving_back_holds_nothing_any_more() {
        bench.poll("m", 10_000);
        var run = bench.run(RunLimitValues.steps(1));
        var other = bench.run(RunLimitValues.NONE);
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        Claimant leaked = start(run.gate, spec, 0);
        bench.pass();
        run.ready("of the run", TicketSpec.of("m"));
        other.ready("of the key", spec);
        assertThat(bench.pass()).isEmpty();
        leaked.alive = false;
        bench.now += SECOND;
        assertThat(bench.admission.correct(run.gate, bench.now).getFirst())
                .isEqualTo("run 0: expected a live claim, found that of claimant, which has ended");
        assertThat(bench.pass()).containsExactlyInAnyOrder("of the run", "of the key");
        assertThat(bench.admission.correctLimits(bench.now)).isEmpty();
    }

    @Test
    void many_limits_are_corrected_slice_by_slice() {
        bench.poll("m", 10_000);
        var run = bench.run(RunLimitValues.NONE);
        int keys = 2 * UsageCheck.LIMITS_MAX + 1;
        for (int i = 0; i < keys; i++) {
            run.ready("n" + i, TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key("k" + i), 1)));
        }
        bench.pass();
        bench.holdings.values().forEach(holding -> holding.demands().getFirst().limit.used = 2);
        assertThat(bench.admission.correctLimits(bench.now)).hasSize(UsageCheck.LIMITS_MAX);
        assertThat(bench.admission.correctLimits(bench.now)).hasSize(UsageCheck.LIMITS_MAX);
        assertThat(bench.admission.correctLimits(bench.now)).hasSize(1);
        assertThat(bench.admission.correctLimits(bench.now)).isEmpty();
    }

    @Test
    @Tag("L8")
    void a_grant_beside_very_many_claims_does_not_look_at_all_of_them() {
        int many = 50_000;
        bench.poll("m", Integer.MAX_VALUE);
        var run = bench.run(RunLimitValues.steps(2 * many));
        for (int i = 0; i < many; i++) {
            start(run.gate, TicketSpec.of("m"), i);
        }
        bench.pass();
        bench.now += SECOND;
        long before = asked;
        int grants = 1_000;
        for (int i = 0; i < grants; i++) {
            bench.now += 100;
            start(run.gate, TicketSpec.of("m"), many + i);
            assertThat(bench.pass()).hasSize(1);
        }
        assertThat(asked - before)
                .as("claims looked at in 100 ms, in which totals of 50,000 are derived twice")
                .isLessThan(3L * (many + grants));
    }
}
