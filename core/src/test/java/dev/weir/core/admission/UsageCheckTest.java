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

    private final AdmissionFixture fixture = new AdmissionFixture();
    private final FanOutLimit items = new FanOutLimit(2);
    /** Number of times that claimants were asked for their claim. */
    private long liveChecks;

    /** Creates a run with four places and five slots, and two items in flight of a fan-out that has no third place. */
    private AdmissionFixture.Run busyRun() {
        fixture.poll("m", 10_000);
        var run = fixture.run(new RunLimitValues(4, 5, RunLimitValues.UNLIMITED, SECOND));
        run.enqueue("i0", item());
        run.enqueue("i1", item());
        assertThat(fixture.pass()).containsExactly("i0", "i1");
        return run;
    }

    private TicketSpec item() {
        return new TicketSpec("m", List.of(), new TicketSpec.RunDemand(1, false, items), 0);
    }

    private static TicketSpec slots(int slots, boolean exclusive) {
        return new TicketSpec("m", List.of(), new TicketSpec.RunDemand(slots, exclusive, null), 0);
    }

    private static RunAllocations allocations(AdmissionFixture.Run run) {
        return Objects.requireNonNull(run.limiter.allocations);
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
                new Corruption("steps, too many", allocations -> allocations.inFlight = 99),
                new Corruption("steps, too few", allocations -> allocations.inFlight = -99),
                new Corruption("slots, too many", allocations -> allocations.slots = 99),
                new Corruption("slots, too few", allocations -> allocations.slots = -99),
                new Corruption("exclusive", allocations -> allocations.exclusive = true),
                new Corruption("waiting for a person", allocations -> allocations.openEndedSteps = 99),
                new Corruption("slots waiting for a person", allocations -> allocations.openEndedSlots = 99),
                new Corruption("items, too many", allocations -> fanOut(allocations).inFlight = 99),
                new Corruption("items, too few", allocations -> fanOut(allocations).inFlight = -99));
    }

    private static FanOutLimit fanOut(RunAllocations allocations) {
        return Objects.requireNonNull(allocations.get(0).runDemand().fanOut());
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void the_next_pass_derives_what_a_run_has_in_flight(Corruption corruption) {
        var run = busyRun();
        corruption.how.accept(allocations(run));
        fixture.now += SECOND;
        run.enqueue("i2", item());
        run.enqueue("wide", slots(4, false));
        run.enqueue("alone", slots(1, true));
        run.enqueue("narrow", slots(1, false));
        run.enqueue("other", slots(1, false));
        run.enqueue("late", slots(1, false));
        assertThat(fixture.pass())
                .as("two places and three slots are free, but no place of the fan-out")
                .containsExactly("narrow", "other");
        List.of("i0", "narrow", "other").forEach(fixture::finish);
        assertThat(fixture.pass()).containsExactly("i2", "late");
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void the_sweep_corrects_what_a_run_has_in_flight_and_says_so(Corruption corruption) {
        var run = busyRun();
        fixture.now += SECOND;
        fixture.pass();
        assertThat(fixture.admission.correctRun(run.limiter, fixture.now)).isEmpty();
        corruption.how.accept(allocations(run));
        assertThat(fixture.admission.correctRun(run.limiter, fixture.now))
                .singleElement()
                .satisfies(words -> assertThat(words).startsWith("run 0: expected 2 steps with 2 slots"));
        assertThat(fixture.admission.correctRun(run.limiter, fixture.now)).isEmpty();
    }

    @Test
    void a_run_that_waits_for_places_nobody_holds_goes_on_after_the_sweep() {
        fixture.poll("m", 10_000);
        var run = fixture.run(RunLimitValues.steps(1));
        run.enqueue("first", TicketSpec.of("m"));
        fixture.pass();
        run.enqueue("second", TicketSpec.of("m"));
        fixture.pass();
        fixture.finish("first");
        allocations(run).inFlight = 1;
        assertThat(fixture.pass()).as("in the pass that derived it before").isEmpty();
        assertThat(fixture.admission.correctRun(run.limiter, fixture.now)).hasSize(1);
        assertThat(fixture.pass()).containsExactly("second");
    }

    @Test
    void the_sweep_corrects_what_a_shared_limit_has_in_use_and_those_who_wait_go_on() {
        fixture.poll("m", 10_000);
        var run = fixture.run(RunLimitValues.NONE);
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 2));
        run.enqueue("first", spec);
        fixture.pass();
        SharedLimit limit = fixture.allocation("first").demands().getFirst().limit;
        limit.used = 99;
        run.enqueue("second", spec);
        run.enqueue("third", spec);
        fixture.now += SECOND;
        assertThat(fixture.pass()).isEmpty();
        assertThat(fixture.admission.correctLimits(fixture.now))
                .containsExactly("key:billing-api: expected 1 in use (0 wait for a person), found 99 (0)");
        assertThat(fixture.pass()).containsExactly("second");
        limit.used = 0;
        limit.openEndedUse = 7;
        assertThat(fixture.admission.correctLimits(fixture.now)).hasSize(1);
        assertThat(fixture.pass()).as("both places are taken").isEmpty();
        assertThat(limit.willFit(fixture.allocation("first").demands().getFirst()))
                .isTrue();
        assertThat(fixture.admission.correctLimits(fixture.now)).isEmpty();
    }

    /**
     * A subject that can lose its claim without returning its allocation, and counts how often it is asked for the
     * claim.
     */
    private final class Claimant implements Subject {
        private boolean alive = true;

        @Override
        public boolean isLive(Allocation allocation) {
            liveChecks++;
            return alive;
        }

        @Override
        public String toString() {
            return "claimant";
        }
    }

    private Claimant start(RunLimiter run, TicketSpec spec, long number) {
        var claimant = new Claimant();
        fixture.admission.enqueue(run, spec, new Ticket.Entry(claimant, fixture.now, number, 0), fixture.now);
        return claimant;
    }

    @Test
    @Tag("R0.7")
    void a_claim_that_has_ended_without_giving_back_holds_nothing_any_more() {
        fixture.poll("m", 10_000);
        var run = fixture.run(RunLimitValues.steps(1));
        var other = fixture.run(RunLimitValues.NONE);
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        Claimant leaked = start(run.limiter, spec, 0);
        fixture.pass();
        run.enqueue("of the run", TicketSpec.of("m"));
        other.enqueue("of the key", spec);
        assertThat(fixture.pass()).isEmpty();
        leaked.alive = false;
        fixture.now += SECOND;
        assertThat(fixture.admission.correctRun(run.limiter, fixture.now).getFirst())
                .isEqualTo("run 0: expected a live claim, found that of claimant, which has ended");
        assertThat(fixture.pass()).containsExactlyInAnyOrder("of the run", "of the key");
        assertThat(fixture.admission.correctLimits(fixture.now)).isEmpty();
    }

    @Test
    void many_limits_are_corrected_slice_by_slice() {
        fixture.poll("m", 10_000);
        var run = fixture.run(RunLimitValues.NONE);
        int keys = 2 * UsageCheck.LIMITS_MAX + 1;
        for (int i = 0; i < keys; i++) {
            run.enqueue("n" + i, TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key("k" + i), 1)));
        }
        fixture.pass();
        fixture.allocations.values().forEach(allocation -> allocation.demands().getFirst().limit.used = 2);
        assertThat(fixture.admission.correctLimits(fixture.now)).hasSize(UsageCheck.LIMITS_MAX);
        assertThat(fixture.admission.correctLimits(fixture.now)).hasSize(UsageCheck.LIMITS_MAX);
        assertThat(fixture.admission.correctLimits(fixture.now)).hasSize(1);
        assertThat(fixture.admission.correctLimits(fixture.now)).isEmpty();
    }

    @Test
    @Tag("L8")
    void a_grant_does_not_check_all_of_very_many_claims() {
        int many = 50_000;
        fixture.poll("m", Integer.MAX_VALUE);
        var run = fixture.run(RunLimitValues.steps(2 * many));
        for (int i = 0; i < many; i++) {
            start(run.limiter, TicketSpec.of("m"), i);
        }
        fixture.pass();
        fixture.now += SECOND;
        long before = liveChecks;
        int grants = 1_000;
        for (int i = 0; i < grants; i++) {
            fixture.now += 100;
            start(run.limiter, TicketSpec.of("m"), many + i);
            assertThat(fixture.pass()).hasSize(1);
        }
        assertThat(liveChecks - before)
                .as("claims checked in 100 ms, in which totals of 50,000 are derived twice")
                .isLessThan(3L * (many + grants));
    }

    @Test
    @Tag("R3.2")
    void usage_above_what_the_newest_grant_allowed_is_found() {
        fixture.poll("m", 10);
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("a", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
        assertThat(fixture.pass()).containsExactly("a");
        var limit = fixture.allocation("a").demands().getFirst().limit;
        assertThat(limit.newestGrant.findCapacityOveruse(KEY, limit)).isNull();
        limit.used = 2;
        assertThat(limit.newestGrant.findCapacityOveruse(KEY, limit)).isEqualTo(new Overuse(KEY, 2, 1, true));
    }
}
