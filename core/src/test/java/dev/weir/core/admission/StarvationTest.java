package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a ticket that asks for more than the others starts in the end, although an endless stream of them
 * competes.
 */
@Tag("L5")
@Tag("R2.9")
class StarvationTest {
    private static final LimitId.Key KEY = new LimitId.Key("shared");
    private static final LimitId.Key OTHER = new LimitId.Key("other");
    private static final int ROUNDS = 3_000;
    /** The period of rates: much shorter than the time in which as many tickets arrive as may start. */
    private static final long PERIOD = 2_000;

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @Test
    void an_exclusive_step_is_not_starved_by_its_run() {
        var fixture = new AdmissionFixture();
        var ordinary = TicketSpec.of("m");
        var exclusive = new TicketSpec("m", List.of(), new TicketSpec.RunDemand(1, true, null), 0);
        var run = fixture.run(RunLimitValues.steps(2));
        fixture.poll("m", 10_000);
        run.enqueue("n0", ordinary);
        run.enqueue("n1", ordinary);
        fixture.pass();
        run.enqueue("alone", exclusive);
        for (int i = 2; i < 200 && !fixture.isGranted("alone"); i++) {
            fixture.now += 1_000_000;
            run.enqueue("n" + i, ordinary);
            fixture.finishIfRunning("n" + (i - 2));
            fixture.pass();
        }
        assertThat(fixture.isGranted("alone")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_larger_demand_starts_after_a_bounded_number_of_overtakings(int seed) {
        var random = new Random(seed);
        int capacity = 2 + random.nextInt(5);
        var fixture = new AdmissionFixture();
        fixture.poll("m", Integer.MAX_VALUE);
        Workload workload = workload(random.nextInt(9), capacity, random, fixture);
        List<String> running = new ArrayList<>();
        int number = 0;
        int firstLater = Integer.MAX_VALUE;
        int overtakings = 0;
        for (int round = 0; round < ROUNDS && !fixture.isGranted("heavy"); round++) {
            fixture.now += 1 + random.nextInt(1_000);
            if (round == 20) {
                workload.run.enqueue("heavy", workload.heavy);
                firstLater = number;
            }
            for (int i = 0; i < 2; i++) {
                workload.run.enqueue("light" + number, workload.light.get(number % workload.light.size()));
                number++;
            }
            if (!running.isEmpty() && random.nextInt(4) > 0) {
                fixture.finish(running.remove(random.nextInt(running.size())));
            }
            for (String started : fixture.pass()) {
                if (!started.equals("heavy")) {
                    running.add(started);
                    overtakings += Integer.parseInt(started.substring("light".length())) >= firstLater ? 1 : 0;
                }
            }
        }
        assertThat(fixture.isGranted("heavy")).as("it has started").isTrue();
        assertThat(overtakings).isLessThanOrEqualTo(Admission.OVERTAKINGS_MAX + capacity + workload.undelayingStarts);
    }

    /**
     * A ticket that asks for more, and those that ask for less.
     *
     * @param undelayingStarts number of the others that may start during a window reservation, because they delay nobody
     */
    private record Workload(AdmissionFixture.Run run, TicketSpec heavy, List<TicketSpec> light, int undelayingStarts) {
        Workload(AdmissionFixture.Run run, TicketSpec heavy, List<TicketSpec> light) {
            this(run, heavy, light, 0);
        }
    }

    /** Creates a ticket that asks for more of a rate, has a lower rate of its own, or needs more than one limit. */
    private static Workload rateWorkload(int kind, int rate, int more, AdmissionFixture fixture) {
        var own = Rate.sliding(rate, PERIOD);
        var key = TicketSpec.of("m", LimitNeed.rate(KEY, own));
        var other = TicketSpec.of("m", LimitNeed.rate(OTHER, own));
        var costly = new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, own, more);
        var run = fixture.run(RunLimitValues.NONE);
        return switch (kind) {
            case 0 -> new Workload(run, TicketSpec.of("m", costly), List.of(key), rate);
            case 1 ->
                new Workload(run, TicketSpec.of("m", LimitNeed.rate(KEY, Rate.sliding(1, PERIOD))), List.of(key), rate);
            case 2 ->
                new Workload(
                        run,
                        TicketSpec.of("m", costly, new LimitNeed(OTHER, LimitNeed.UNLIMITED, 1, own, more)),
                        List.of(key, other),
                        2 * rate);
            default ->
                new Workload(
                        run,
                        TicketSpec.of("m", costly, LimitNeed.parallelism(OTHER, 1)),
                        List.of(key, TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1))),
                        ROUNDS);
        };
    }

    private static Workload workload(int kind, int capacity, Random random, AdmissionFixture fixture) {
        var key = TicketSpec.of("m", LimitNeed.parallelism(KEY, capacity));
        int more = 2 + random.nextInt(capacity - 1);
        return switch (kind) {
            case 0 ->
                new Workload(
                        fixture.run(RunLimitValues.NONE),
                        TicketSpec.of("m", new LimitNeed(KEY, capacity, more, null, 1)),
                        List.of(key));
            case 1 ->
                new Workload(fixture.run(RunLimitValues.slots(capacity)), spec(more, false), List.of(spec(1, false)));
            case 2 -> new Workload(fixture.run(RunLimitValues.steps(capacity)), spec(1, true), List.of(spec(1, false)));
            case 3 ->
                new Workload(
                        fixture.run(RunLimitValues.NONE),
                        TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)),
                        List.of(key));
            case 5, 6, 7, 8 -> rateWorkload(kind - 5, capacity, more, fixture);
            default ->
                new Workload(
                        fixture.run(RunLimitValues.NONE),
                        TicketSpec.of("m", LimitNeed.parallelism(KEY, 1), LimitNeed.parallelism(OTHER, 1)),
                        List.of(
                                TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)),
                                TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1))));
        };
    }

    private static TicketSpec spec(int slots, boolean exclusive) {
        return new TicketSpec("m", List.of(), new TicketSpec.RunDemand(slots, exclusive, null), 0);
    }

    @Test
    void a_window_reservation_does_not_block_tickets_that_do_not_delay_it() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", Integer.MAX_VALUE);
        var run = fixture.run(RunLimitValues.NONE);
        var light = TicketSpec.of("m", LimitNeed.rate(KEY, Rate.sliding(8, PERIOD)));
        run.enqueue(
                "costly", TicketSpec.of("m", new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, Rate.sliding(4, PERIOD), 2)));
        assertThat(fixture.pass()).containsExactly("costly");
        IntStream.range(0, 3).forEach(i -> run.enqueue("first" + i, light));
        assertThat(fixture.pass()).hasSize(3);
        fixture.now++;
        run.enqueue(
                "waits", TicketSpec.of("m", new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, Rate.sliding(4, PERIOD), 2)));
        int number = 0;
        while (fixture.admission.windowReservers().isEmpty()) {
            fixture.now += PERIOD / 8;
            run.enqueue("light" + number++, light);
            fixture.pass();
        }
        assertThat(number).isLessThan(2 * Admission.OVERTAKINGS_MAX);
        long reserved = fixture.now;
        run.enqueue("other key", TicketSpec.of("m", LimitNeed.rate(OTHER, Rate.sliding(1, PERIOD))));
        assertThat(fixture.pass()).as("other limits are not affected").containsExactly("other key");
        while (!fixture.isGranted("waits")) {
            fixture.now = Math.max(fixture.now + 1, fixture.admission.nextWakeup());
            assertThat(fixture.now).as("it waits for one period at the most").isLessThanOrEqualTo(reserved + PERIOD);
            run.enqueue("light" + number++, light);
            fixture.pass();
        }
        assertThat(fixture.admission.windowReservers()).isEmpty();
        fixture.now += PERIOD;
        fixture.pass();
        assertThat(IntStream.range(0, number).mapToObj(i -> "light" + i))
                .as("the ticket that waited behind it starts")
                .allMatch(fixture::isGranted);
    }

    @Test
    void two_tickets_that_need_the_same_two_rates_both_start() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", Integer.MAX_VALUE);
        var run = fixture.run(RunLimitValues.NONE);
        var rate = Rate.sliding(3, PERIOD);
        var one = new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, rate, 3);
        var other = new LimitNeed(OTHER, LimitNeed.UNLIMITED, 1, rate, 3);
        int number = 0;
        for (int round = 0; round < ROUNDS && !(fixture.isGranted("a") && fixture.isGranted("b")); round++) {
            fixture.now += PERIOD / 8;
            run.enqueue("k" + number, TicketSpec.of("m", LimitNeed.rate(KEY, rate)));
            run.enqueue("o" + number++, TicketSpec.of("m", LimitNeed.rate(OTHER, rate)));
            if (round == 20) {
                run.enqueue("a", TicketSpec.of("m", one, other));
                run.enqueue("b", TicketSpec.of("m", other, one));
            }
            fixture.pass();
        }
        assertThat(fixture.isGranted("a")).isTrue();
        assertThat(fixture.isGranted("b")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void no_capacity_is_reserved_for_a_ticket_that_waits_for_a_rate(int seed) {
        var random = new Random(seed);
        int capacity = 2 + random.nextInt(4);
        var fixture = new AdmissionFixture();
        fixture.poll("m", Integer.MAX_VALUE);
        var run = fixture.run(RunLimitValues.NONE);
        var blocked = LimitNeed.rate(OTHER, Rate.sliding(1, Rate.PERIOD_MAX));
        run.enqueue("first", TicketSpec.of("m", blocked));
        fixture.pass();
        run.enqueue("heavy", TicketSpec.of("m", new LimitNeed(KEY, capacity, capacity, null, 1), blocked));
        int number = 0;
        List<String> running = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            fixture.now += 1_000;
            run.enqueue("light" + number++, TicketSpec.of("m", LimitNeed.parallelism(KEY, capacity)));
            running.addAll(fixture.pass());
            assertThat(running).as("all places are used").hasSize(Math.min(round + 1, capacity));
            if (running.size() == capacity) {
                fixture.finish(running.removeFirst());
            }
        }
    }

    /** Lets each ticket finish and make the next ready, as in a chain of steps, while another has waited longer. */
    private static List<String> startChain(
            AdmissionFixture fixture,
            AdmissionFixture.Run run,
            TicketSpec links,
            AdmissionFixture.Run other,
            TicketSpec waits) {
        fixture.poll("m", 10_000);
        fixture.poll("n", 10_000);
        run.enqueue("link0", links);
        fixture.pass();
        fixture.now++;
        other.enqueue("waits", waits);
        assertThat(fixture.pass()).isEmpty();
        fixture.now++;
        fixture.finish("link0");
        run.enqueue("link1", links);
        return fixture.pass();
    }

    @Test
    void a_ticket_that_arrives_when_its_run_frees_capacity_queues_behind_waiting_tickets() {
        var fixture = new AdmissionFixture();
        var run = fixture.run(RunLimitValues.steps(1));
        assertThat(startChain(fixture, run, TicketSpec.of("m"), run, TicketSpec.of("n")))
                .containsExactly("waits");
    }

    @Test
    void a_ticket_that_arrives_when_its_key_frees_capacity_queues_behind_waiting_tickets() {
        var fixture = new AdmissionFixture();
        var links = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        var waits = TicketSpec.of("n", LimitNeed.parallelism(KEY, 1));
        assertThat(startChain(
                        fixture, fixture.run(RunLimitValues.NONE), links, fixture.run(RunLimitValues.NONE), waits))
                .containsExactly("waits");
    }

    @Test
    void a_ticket_that_arrives_when_its_rate_opens_queues_behind_waiting_tickets() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", 10_000);
        fixture.poll("n", 10_000);
        var run = fixture.run(RunLimitValues.NONE);
        var rate = LimitNeed.rate(KEY, Rate.sliding(1, 1_000));
        run.enqueue("first", TicketSpec.of("m", rate));
        fixture.pass();
        fixture.now = 1;
        run.enqueue("waits", TicketSpec.of("n", rate));
        assertThat(fixture.pass()).isEmpty();
        fixture.now = 1_000;
        run.enqueue("comes now", TicketSpec.of("m", rate));
        assertThat(fixture.pass()).containsExactly("waits");
    }

    @Test
    void a_ticket_that_arrives_when_a_tick_begins_queues_behind_waiting_tickets() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", 10_000);
        fixture.poll("n", 10_000);
        var run = fixture.run(new RunLimitValues(RunLimitValues.UNLIMITED, RunLimitValues.UNLIMITED, 1, 1_000));
        run.enqueue("first", TicketSpec.of("m"));
        fixture.pass();
        fixture.now = 1;
        run.enqueue("waits", TicketSpec.of("n"));
        assertThat(fixture.pass()).isEmpty();
        fixture.now = 1_000;
        run.enqueue("comes now", TicketSpec.of("m"));
        assertThat(fixture.pass()).containsExactly("waits");
    }

    @Test
    void places_that_are_freed_at_once_go_to_the_oldest_tickets() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", 10_000);
        fixture.poll("n", 10_000);
        var first = TicketSpec.of("m", LimitNeed.parallelism(KEY, 3));
        var second = TicketSpec.of("n", LimitNeed.parallelism(KEY, 3));
        var run = fixture.run(RunLimitValues.NONE);
        List.of("a", "b", "c").forEach(name -> run.enqueue(name, first));
        fixture.pass();
        List.of("m1", "n2", "m3", "n4", "m5").forEach(name -> {
            fixture.now++;
            run.enqueue(name, name.startsWith("m") ? first : second);
        });
        List.of("a", "b", "c").forEach(fixture::finish);
        assertThat(fixture.pass()).containsExactly("m1", "n2", "m3");
    }

    @Test
    void nothing_is_reserved_behind_an_open_ended_allocation() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", 10_000);
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("asks a person", TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1)));
        fixture.pass();
        Allocation open = fixture.allocation("asks a person");
        open.setOpenEnded(true);
        run.enqueue("both", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1), LimitNeed.parallelism(OTHER, 1)));
        int startCount = startStream(fixture, run, 3 * Admission.OVERTAKINGS_MAX);
        assertThat(startCount).as("others of the key go on").isEqualTo(3 * Admission.OVERTAKINGS_MAX);
        open.setOpenEnded(false);
        startStream(fixture, run, Admission.OVERTAKINGS_MAX);
        fixture.finish("asks a person");
        assertThat(fixture.pass()).containsExactly("both");
    }

    /** Enqueues tickets for the key one after the other, as long as they may start. Returns how many started. */
    private static int startStream(AdmissionFixture fixture, AdmissionFixture.Run run, int max) {
        int startCount = 0;
        for (int i = 0; i < max; i++) {
            String name = "n" + fixture.now;
            fixture.now += 1_000;
            run.enqueue(name, TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
            fixture.pass();
            if (fixture.isGranted(name)) {
                startCount++;
                fixture.finish(name);
            }
        }
        return startCount;
    }

    @Test
    void an_exclusive_step_that_a_person_holds_up_stops_no_other_step_of_its_run() {
        var fixture = new AdmissionFixture();
        fixture.poll("m", 10_000);
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("asks a person", TicketSpec.of("m"));
        fixture.pass();
        fixture.allocation("asks a person").setOpenEnded(true);
        run.enqueue("alone", spec(1, true));
        assertThat(startStream(fixture, run, 3 * Admission.OVERTAKINGS_MAX)).isEqualTo(3 * Admission.OVERTAKINGS_MAX);
    }

    @Test
    void a_wide_step_is_not_starved_where_all_is_claimed_by_name() {
        var fixture = new AdmissionFixture();
        var run = fixture.run(RunLimitValues.slots(4));
        run.enqueue("n0", spec(1, false));
        run.enqueue("n1", spec(1, false));
        fixture.claim(run, Set.of("n0", "n1"), 2);
        run.enqueue("wide", spec(4, false));
        for (int i = 2; i < 200 && !fixture.isGranted("wide"); i++) {
            fixture.now += 1_000;
            run.enqueue("n" + i, spec(1, false));
            fixture.finishIfRunning("n" + (i - 2));
            fixture.pass();
            fixture.claim(run, Set.of("wide", "n" + i), 1);
        }
        assertThat(fixture.isGranted("wide")).isTrue();
    }
}
