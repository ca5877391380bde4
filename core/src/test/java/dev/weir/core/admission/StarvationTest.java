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
        var bench = new Bench();
        var usual = TicketSpec.of("m");
        var exclusive = new TicketSpec("m", List.of(), new TicketSpec.Local(1, true, null), 0);
        var run = bench.run(RunLimitValues.steps(2));
        bench.poll("m", 10_000);
        run.ready("n0", usual);
        run.ready("n1", usual);
        bench.pass();
        run.ready("alone", exclusive);
        for (int i = 2; i < 200 && !bench.granted("alone"); i++) {
            bench.now += 1_000_000;
            run.ready("n" + i, usual);
            bench.finishIfRunning("n" + (i - 2));
            bench.pass();
        }
        assertThat(bench.granted("alone")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whoever_asks_for_more_starts_after_a_bounded_number_of_overtakings(int seed) {
        var random = new Random(seed);
        int capacity = 2 + random.nextInt(5);
        var bench = new Bench();
        bench.poll("m", Integer.MAX_VALUE);
        Crowd crowd = crowd(random.nextInt(9), capacity, random, bench);
        List<String> running = new ArrayList<>();
        int number = 0;
        int firstLater = Integer.MAX_VALUE;
        int overtakings = 0;
        for (int round = 0; round < ROUNDS && !bench.granted("heavy"); round++) {
            bench.now += 1 + random.nextInt(1_000);
            if (round == 20) {
                crowd.run.ready("heavy", crowd.heavy);
                firstLater = number;
            }
            for (int i = 0; i < 2; i++) {
                crowd.run.ready("light" + number, crowd.light.get(number % crowd.light.size()));
                number++;
            }
            if (!running.isEmpty() && random.nextInt(4) > 0) {
                bench.finish(running.remove(random.nextInt(running.size())));
            }
            for (String started : bench.pass()) {
                if (!started.equals("heavy")) {
                    running.add(started);
                    overtakings += Integer.parseInt(started.substring("light".length())) >= firstLater ? 1 : 0;
                }
            }
        }
        assertThat(bench.granted("heavy")).as("it has started").isTrue();
        assertThat(overtakings).isLessThanOrEqualTo(Admission.OVERTAKINGS_MAX + capacity + crowd.beside);
    }

    /**
     * A ticket that asks for more, and those that ask for less.
     *
     * @param beside number of the others that may start during a window reservation, because they delay nobody
     */
    private record Crowd(Bench.Run run, TicketSpec heavy, List<TicketSpec> light, int beside) {
        Crowd(Bench.Run run, TicketSpec heavy, List<TicketSpec> light) {
            this(run, heavy, light, 0);
        }
    }

    /** Creates a ticket that asks for more of a rate, has a lower rate of its own, or needs more than one limit. */
    private static Crowd underRates(int kind, int rate, int more, Bench bench) {
        var own = Rate.sliding(rate, PERIOD);
        var key = TicketSpec.of("m", LimitNeed.rate(KEY, own));
        var other = TicketSpec.of("m", LimitNeed.rate(OTHER, own));
        var costly = new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, own, more);
        var run = bench.run(RunLimitValues.NONE);
        return switch (kind) {
            case 0 -> new Crowd(run, TicketSpec.of("m", costly), List.of(key), rate);
            case 1 ->
                new Crowd(run, TicketSpec.of("m", LimitNeed.rate(KEY, Rate.sliding(1, PERIOD))), List.of(key), rate);
            case 2 ->
                new Crowd(
                        run,
                        TicketSpec.of("m", costly, new LimitNeed(OTHER, LimitNeed.UNLIMITED, 1, own, more)),
                        List.of(key, other),
                        2 * rate);
            default ->
                new Crowd(
                        run,
                        TicketSpec.of("m", costly, LimitNeed.parallelism(OTHER, 1)),
                        List.of(key, TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1))),
                        ROUNDS);
        };
    }

    private static Crowd crowd(int kind, int capacity, Random random, Bench bench) {
        var key = TicketSpec.of("m", LimitNeed.parallelism(KEY, capacity));
        int more = 2 + random.nextInt(capacity - 1);
        return switch (kind) {
            case 0 ->
                new Crowd(
                        bench.run(RunLimitValues.NONE),
                        TicketSpec.of("m", new LimitNeed(KEY, capacity, more, null, 1)),
                        List.of(key));
            case 1 ->
                new Crowd(bench.run(RunLimitValues.slots(capacity)), local(more, false), List.of(local(1, false)));
            case 2 -> new Crowd(bench.run(RunLimitValues.steps(capacity)), local(1, true), List.of(local(1, false)));
            case 3 ->
                new Crowd(
                        bench.run(RunLimitValues.NONE),
                        TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)),
                        List.of(key));
            case 5, 6, 7, 8 -> underRates(kind - 5, capacity, more, bench);
            default ->
                new Crowd(
                        bench.run(RunLimitValues.NONE),
                        TicketSpec.of("m", LimitNeed.parallelism(KEY, 1), LimitNeed.parallelism(OTHER, 1)),
                        List.of(
                                TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)),
                                TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1))));
        };
    }

    private static TicketSpec local(int slots, boolean exclusive) {
        return new TicketSpec("m", List.of(), new TicketSpec.Local(slots, exclusive, null), 0);
    }

    @Test
    void one_that_waits_for_a_rate_keeps_no_room_from_those_who_do_not_postpone_it() {
        var bench = new Bench();
        bench.poll("m", Integer.MAX_VALUE);
        var run = bench.run(RunLimitValues.NONE);
        var light = TicketSpec.of("m", LimitNeed.rate(KEY, Rate.sliding(8, PERIOD)));
        run.ready("costly", TicketSpec.of("m", new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, Rate.sliding(4, PERIOD), 2)));
        assertThat(bench.pass()).containsExactly("costly");
        IntStream.range(0, 3).forEach(i -> run.ready("first" + i, light));
        assertThat(bench.pass()).hasSize(3);
        bench.now++;
        run.ready("waits", TicketSpec.of("m", new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, Rate.sliding(4, PERIOD), 2)));
        int number = 0;
        while (bench.admission.windowReservers().isEmpty()) {
            bench.now += PERIOD / 8;
            run.ready("light" + number++, light);
            bench.pass();
        }
        assertThat(number).isLessThan(2 * Admission.OVERTAKINGS_MAX);
        long reserved = bench.now;
        run.ready("other key", TicketSpec.of("m", LimitNeed.rate(OTHER, Rate.sliding(1, PERIOD))));
        assertThat(bench.pass()).as("other limits are not affected").containsExactly("other key");
        while (!bench.granted("waits")) {
            bench.now = Math.max(bench.now + 1, bench.admission.nextWakeup());
            assertThat(bench.now).as("it waits for one period at the most").isLessThanOrEqualTo(reserved + PERIOD);
            run.ready("light" + number++, light);
            bench.pass();
        }
        assertThat(bench.admission.windowReservers()).isEmpty();
        bench.now += PERIOD;
        bench.pass();
        assertThat(IntStream.range(0, number).mapToObj(i -> "light" + i))
                .as("whoever waited behind it goes on")
                .allMatch(bench::granted);
    }

    @Test
    void two_that_wait_for_the_rates_of_each_other_both_start() {
        var bench = new Bench();
        bench.poll("m", Integer.MAX_VALUE);
        var run = bench.run(RunLimitValues.NONE);
        var rate = Rate.sliding(3, PERIOD);
        var one = new LimitNeed(KEY, LimitNeed.UNLIMITED, 1, rate, 3);
        var other = new LimitNeed(OTHER, LimitNeed.UNLIMITED, 1, rate, 3);
        int number = 0;
        for (int round = 0; round < ROUNDS && !(bench.granted("a") && bench.granted("b")); round++) {
            bench.now += PERIOD / 8;
            run.ready("k" + number, TicketSpec.of("m", LimitNeed.rate(KEY, rate)));
            run.ready("o" + number++, TicketSpec.of("m", LimitNeed.rate(OTHER, rate)));
            if (round == 20) {
                run.ready("a", TicketSpec.of("m", one, other));
                run.ready("b", TicketSpec.of("m", other, one));
            }
            bench.pass();
        }
        assertThat(bench.granted("a")).isTrue();
        assertThat(bench.granted("b")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void no_capacity_is_kept_for_who_waits_for_a_rate(int seed) {
        var random = new Random(seed);
        int capacity = 2 + random.nextInt(4);
        var bench = new Bench();
        bench.poll("m", Integer.MAX_VALUE);
        var run = bench.run(RunLimitValues.NONE);
        var blocked = LimitNeed.rate(OTHER, Rate.sliding(1, Rate.PERIOD_MAX));
        run.ready("first", TicketSpec.of("m", blocked));
        bench.pass();
        run.ready("heavy", TicketSpec.of("m", new LimitNeed(KEY, capacity, capacity, null, 1), blocked));
        int number = 0;
        List<String> running = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            bench.now += 1_000;
            run.ready("light" + number++, TicketSpec.of("m", LimitNeed.parallelism(KEY, capacity)));
            running.addAll(bench.pass());
            assertThat(running).as("all places are used").hasSize(Math.min(round + 1, capacity));
            if (running.size() == capacity) {
                bench.finish(running.removeFirst());
            }
        }
    }

    /** Lets each ticket finish and make the next ready, as in a chain of steps, while another has waited longer. */
    private static List<String> chain(Bench bench, Bench.Run run, TicketSpec links, Bench.Run other, TicketSpec waits) {
        bench.poll("m", 10_000);
        bench.poll("n", 10_000);
        run.ready("link0", links);
        bench.pass();
        bench.now++;
        other.ready("waits", waits);
        assertThat(bench.pass()).isEmpty();
        bench.now++;
        bench.finish("link0");
        run.ready("link1", links);
        return bench.pass();
    }

    @Test
    void what_becomes_ready_as_its_run_has_a_place_again_goes_after_those_who_wait_for_it() {
        var bench = new Bench();
        var run = bench.run(RunLimitValues.steps(1));
        assertThat(chain(bench, run, TicketSpec.of("m"), run, TicketSpec.of("n")))
                .containsExactly("waits");
    }

    @Test
    void what_becomes_ready_as_a_key_has_a_place_again_goes_after_those_who_wait_for_it() {
        var bench = new Bench();
        var links = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        var waits = TicketSpec.of("n", LimitNeed.parallelism(KEY, 1));
        assertThat(chain(bench, bench.run(RunLimitValues.NONE), links, bench.run(RunLimitValues.NONE), waits))
                .containsExactly("waits");
    }

    @Test
    void what_becomes_ready_as_a_rate_has_room_again_goes_after_those_who_wait_for_it() {
        var bench = new Bench();
        bench.poll("m", 10_000);
        bench.poll("n", 10_000);
        var run = bench.run(RunLimitValues.NONE);
        var rate = LimitNeed.rate(KEY, Rate.sliding(1, 1_000));
        run.ready("first", TicketSpec.of("m", rate));
        bench.pass();
        bench.now = 1;
        run.ready("waits", TicketSpec.of("n", rate));
        assertThat(bench.pass()).isEmpty();
        bench.now = 1_000;
        run.ready("comes now", TicketSpec.of("m", rate));
        assertThat(bench.pass()).containsExactly("waits");
    }

    @Test
    void what_becomes_ready_as_a_tick_begins_goes_after_those_who_wait_for_it() {
        var bench = new Bench();
        bench.poll("m", 10_000);
        bench.poll("n", 10_000);
        var run = bench.run(new RunLimitValues(RunLimitValues.UNLIMITED, RunLimitValues.UNLIMITED, 1, 1_000));
        run.ready("first", TicketSpec.of("m"));
        bench.pass();
        bench.now = 1;
        run.ready("waits", TicketSpec.of("n"));
        assertThat(bench.pass()).isEmpty();
        bench.now = 1_000;
        run.ready("comes now", TicketSpec.of("m"));
        assertThat(bench.pass()).containsExactly("waits");
    }

    @Test
    void of_several_places_that_come_free_at_once_each_goes_to_the_oldest() {
        var bench = new Bench();
        bench.poll("m", 10_000);
        bench.poll("n", 10_000);
        var first = TicketSpec.of("m", LimitNeed.parallelism(KEY, 3));
        var second = TicketSpec.of("n", LimitNeed.parallelism(KEY, 3));
        var run = bench.run(RunLimitValues.NONE);
        List.of("a", "b", "c").forEach(name -> run.ready(name, first));
        bench.pass();
        List.of("m1", "n2", "m3", "n4", "m5").forEach(name -> {
            bench.now++;
            run.ready(name, name.startsWith("m") ? first : second);
        });
        List.of("a", "b", "c").forEach(bench::finish);
        assertThat(bench.pass()).containsExactly("m1", "n2", "m3");
    }

    @Test
    void nothing_is_kept_behind_somebody_of_whom_nobody_knows_when_he_will_be_done() {
        var bench = new Bench();
        bench.poll("m", 10_000);
        var run = bench.run(RunLimitValues.NONE);
        run.ready("asks a person", TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1)));
        bench.pass();
        Allocation open = bench.holding("asks a person");
        open.rest(true);
        run.ready("both", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1), LimitNeed.parallelism(OTHER, 1)));
        int begun = stream(bench, run, 3 * Admission.OVERTAKINGS_MAX);
        assertThat(begun).as("others of the key go on").isEqualTo(3 * Admission.OVERTAKINGS_MAX);
        open.rest(false);
        stream(bench, run, Admission.OVERTAKINGS_MAX);
        bench.finish("asks a person");
        assertThat(bench.pass()).containsExactly("both");
    }

    /** Enqueues tickets for the key one after the other, as long as they may start. Returns how many started. */
    private static int stream(Bench bench, Bench.Run run, int most) {
        int begun = 0;
        for (int i = 0; i < most; i++) {
            String name = "n" + bench.now;
            bench.now += 1_000;
            run.ready(name, TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
            bench.pass();
            if (bench.granted(name)) {
                begun++;
                bench.finish(name);
            }
        }
        return begun;
    }

    @Test
    void an_exclusive_step_that_a_person_holds_up_stops_no_other_step_of_its_run() {
        var bench = new Bench();
        bench.poll("m", 10_000);
        var run = bench.run(RunLimitValues.NONE);
        run.ready("asks a person", TicketSpec.of("m"));
        bench.pass();
        bench.holding("asks a person").rest(true);
        run.ready("alone", local(1, true));
        assertThat(stream(bench, run, 3 * Admission.OVERTAKINGS_MAX)).isEqualTo(3 * Admission.OVERTAKINGS_MAX);
    }

    @Test
    void a_wide_step_is_not_starved_where_all_is_claimed_by_name() {
        var bench = new Bench();
        var run = bench.run(RunLimitValues.slots(4));
        run.ready("n0", local(1, false));
        run.ready("n1", local(1, false));
        bench.claim(run, Set.of("n0", "n1"), 2);
        run.ready("wide", local(4, false));
        for (int i = 2; i < 200 && !bench.granted("wide"); i++) {
            bench.now += 1_000;
            run.ready("n" + i, local(1, false));
            bench.finishIfRunning("n" + (i - 2));
            bench.pass();
            bench.claim(run, Set.of("wide", "n" + i), 1);
        }
        assertThat(bench.granted("wide")).isTrue();
    }
}
