package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applies random events. After each of them, plain counting must agree with the grants. */
@Tag("L7")
@Tag("S1")
@Tag("S2")
@Tag("S3")
@Tag("S4")
class AdmissionAgainstBruteForceTest {
    private static final int SEEDS = Integer.getInteger("admission.seeds", 500);
    private static final int EVENTS = 120;
    /** Numbers of overtakings before a ticket gets a reservation. */
    private static final int[] OVERTAKINGS = {1, 3, Admission.OVERTAKINGS_MAX};

    private static final List<String> MODULES = List.of("a", "b", "c");

    @Test
    void no_grant_is_too_early_and_no_ticket_waits_that_could_start() {
        long first = Long.getLong("admission.seed", 1L);
        for (long seed = first; seed < first + SEEDS; seed++) {
            try {
                new RandomOrganisation(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": replay with -Dadmission.seed=" + seed, e);
            }
        }
    }

    /** One organisation with random events. */
    private static final class RandomOrganisation {
        private final Random random;
        private final Admission admission;
        private final BruteForce model = new BruteForce();
        private final List<BruteForce.Run> runs = new ArrayList<>();
        private final List<TicketSpec> specs = new ArrayList<>();
        private final Map<Subject, Allocation> allocations = new HashMap<>();
        private final Map<RunSpecKey, TicketSpec> fanOuts = new HashMap<>();
        private final List<Poll> polls = new ArrayList<>();
        private final List<LimitId.Shared> keys = new ArrayList<>();
        /** The window reservations before tickets were granted. */
        private List<WindowReservation> reservationsBefore = List.of();

        private long now = 1_000_000;
        private long number;

        RandomOrganisation(long seed) {
            random = new Random(seed);
            admission = new Admission(OVERTAKINGS[random.nextInt(OVERTAKINGS.length)]);
            int keyCount = 1 + random.nextInt(4);
            for (int i = 0; i < keyCount; i++) {
                keys.add(new LimitId.Key("k" + i));
            }
            int specCount = 1 + random.nextInt(8);
            for (int i = 0; i < specCount; i++) {
                specs.add(
                        i > 0 && random.nextInt(3) == 0 ? similarSpec(specs.get(random.nextInt(i)), i) : randomSpec());
            }
        }

        private TicketSpec randomSpec() {
            List<LimitNeed> needs = new ArrayList<>();
            for (LimitId.Shared key : keys) {
                if (random.nextInt(2) == 0) {
                    needs.add(randomNeed(key));
                }
            }
            int slots = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1;
            var fanOut = random.nextInt(4) == 0 ? new FanOutLimit(1 + random.nextInt(3)) : null;
            var local = new TicketSpec.RunDemand(slots, random.nextInt(10) == 0, fanOut);
            int priority = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0;
            return new TicketSpec(MODULES.get(random.nextInt(MODULES.size())), needs, local, priority);
        }

        /** Returns a spec with the same module and needs, and a key of its own. */
        private TicketSpec similarSpec(TicketSpec other, int number) {
            List<LimitNeed> needs = new ArrayList<>(other.needs());
            needs.add(random.nextInt(2) * needs.size(), LimitNeed.parallelism(new LimitId.Key("own" + number), 1));
            return new TicketSpec(other.module(), needs, other.runDemand(), other.priority());
        }

        private LimitNeed randomNeed(LimitId.Shared key) {
            boolean capacity = random.nextBoolean();
            int parallelism = capacity ? 1 + random.nextInt(5) : LimitNeed.UNLIMITED;
            int weight = capacity && random.nextInt(3) == 0 ? 1 + random.nextInt(parallelism) : 1;
            Rate rate = capacity && random.nextBoolean() ? null : randomRate();
            int cost = rate != null && random.nextInt(3) == 0 ? 1 + random.nextInt(rate.count()) : 1;
            return new LimitNeed(key, parallelism, weight, rate, cost);
        }

        private Rate randomRate() {
            int count = 1 + random.nextInt(4);
            long period = 1 + 500L * random.nextInt(3);
            return random.nextInt(3) == 0 ? Rate.fixed(count, period) : Rate.sliding(count, period);
        }

        private BruteForce.Run randomRun() {
            var limits = new RunLimitValues(
                    random.nextBoolean() ? 1 + random.nextInt(4) : RunLimitValues.UNLIMITED,
                    random.nextBoolean() ? 3 + random.nextInt(3) : RunLimitValues.UNLIMITED,
                    random.nextInt(4) == 0 ? 1 + random.nextInt(3) : RunLimitValues.UNLIMITED,
                    400);
            return new BruteForce.Run(admission.openRun(limits, number++, now), limits, now);
        }

        void run() {
            for (int event = 0; event < EVENTS; event++) {
                now += random.nextInt(3) == 0 ? random.nextInt(400) : 0;
                model.expire(now);
                randomEvent();
                passUntilDone();
                check();
            }
            drain();
        }

        private void randomEvent() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> enqueueTickets();
                case 4, 5, 6 -> finish();
                case 7 -> withdraw();
                case 8, 9 -> poll();
                case 10 -> applyOperatorChange();
                default -> claimDirectly();
            }
        }

        private void enqueueTickets() {
            if (runs.isEmpty() || random.nextInt(3) == 0) {
                runs.add(randomRun());
            }
            var run = runs.get(random.nextInt(runs.size()));
            int count = 1 + random.nextInt(3);
            var spec = specForRun(run, specs.get(random.nextInt(specs.size())));
            for (int i = 0; i < count; i++) {
                long since = random.nextInt(5) == 0 ? now - random.nextInt(2_000) : now;
                var entry = new Ticket.Entry(new AdmissionFixture.NamedSubject("t" + number), since, number++, 0);
                model.enqueue(run, admission.enqueue(run.limiter(), spec, entry, now));
            }
        }

        /** Returns a spec whose fan-out belongs to one run. */
        private TicketSpec specForRun(BruteForce.Run run, TicketSpec spec) {
            var fanOut = spec.runDemand().fanOut();
            if (fanOut == null) {
                return spec;
            }
            return fanOuts.computeIfAbsent(new RunSpecKey(run.limiter(), spec), key -> {
                var local = spec.runDemand();
                var own = new TicketSpec.RunDemand(
                        local.slots(), local.exclusive(), new FanOutLimit(fanOut.concurrency()));
                return new TicketSpec(spec.module(), spec.needs(), own, spec.priority());
            });
        }

        private record RunSpecKey(RunLimiter run, TicketSpec spec) {}

        private void finish() {
            List<Subject> running = new ArrayList<>(model.running.keySet());
            if (!running.isEmpty()) {
                finish(running.get(random.nextInt(running.size())));
            }
        }

        private void finish(Subject subject) {
            Allocation allocation = allocations.remove(subject);
            assertThat(allocation).isNotNull();
            if (allocation != null) {
                admission.release(allocation, now);
            }
            model.running.remove(subject);
        }

        private void withdraw() {
            List<Subject> waiting = new ArrayList<>(model.waiting.keySet());
            if (!waiting.isEmpty()) {
                var gone = model.waiting.remove(waiting.get(random.nextInt(waiting.size())));
                if (gone != null) {
                    admission.withdraw(gone.ticket(), now);
                }
            }
        }

        private void poll() {
            if (polls.size() > 3 && random.nextBoolean()) {
                admission.endPoll(polls.remove(random.nextInt(polls.size())), now);
                return;
            }
            List<String> modules = MODULES.subList(random.nextInt(2), 2 + random.nextInt(2));
            polls.add(
                    admission.openPoll(new AdmissionFixture.NamedSubject("poll"), modules, 1 + random.nextInt(5), now));
        }

        private void applyOperatorChange() {
            LimitId.Shared key = keys.get(random.nextInt(keys.size()));
            long until = random.nextBoolean() ? now + 1 + random.nextInt(1_000) : Moment.NEVER;
            switch (random.nextInt(6)) {
                case 0 -> {
                    admission.pause(key, until);
                    model.pauses.put(key, until);
                }
                case 1 -> {
                    admission.resume(key);
                    model.pauses.remove(key);
                }
                case 2, 3 -> pin(key, until);
                case 4 -> {
                    admission.unpin(key);
                    model.pins.remove(key);
                }
                default -> {
                    admission.resetRate(key);
                    model.reset(key);
                }
            }
        }

        private void pin(LimitId.Shared key, long until) {
            // Pins a rate only if starts are counted already; before that there is nothing to count from.
            boolean rate = model.limitsWithRates.contains(key) && random.nextBoolean();
            OperatorSetting<Integer> parallelism =
                    rate ? OperatorSetting.none() : setting(1 + random.nextInt(6), 1 + random.nextInt(6), until);
            var pin = new Pin(parallelism, rate ? setting(randomRate(), randomRate(), until) : OperatorSetting.none());
            admission.pin(key, pin, now);
            model.pins.put(key, pin);
        }

        /** Returns a temporary value that may replace a lasting one. */
        private <T> OperatorSetting<T> setting(T value, T lasting, long until) {
            OperatorSetting<T> before =
                    random.nextBoolean() ? OperatorSetting.of(lasting, Moment.NEVER) : OperatorSetting.none();
            return before.with(new FieldChange.Replace<>(value), until);
        }

        private void claimDirectly() {
            if (runs.isEmpty()) {
                return;
            }
            var run = runs.get(random.nextInt(runs.size()));
            reservationsBefore = BruteForce.reservations(admission);
            checkGrants(admission.claim(run.limiter(), Set.copyOf(MODULES), ticket -> true, 1, now));
        }

        private void passUntilDone() {
            do {
                reservationsBefore = BruteForce.reservations(admission);
                checkGrants(admission.pass(now));
            } while (admission.hasPendingWork());
        }

        private void checkGrants(List<Grant> grants) {
            for (Grant grant : grants) {
                var subject = grant.allocation().subject();
                var waiter = model.waiting.get(subject);
                assertThat(waiter).as("granted while it waits: %s", subject).isNotNull();
                if (waiter != null) {
                    assertThat(model.canStart(waiter, null, List.of(), now))
                            .as("%s may start at %s: %s", subject, now, model.describe(waiter, now))
                            .isTrue();
                }
                List<BruteForce.Waiter> reservers = waiter == null
                        ? List.of()
                        : model.olderReservers(waiter.ticket(), reservationsBefore, admission);
                List<Long> openingsBefore =
                        reservers.stream().map(it -> model.opensAt(it, now)).toList();
                model.recordGrant(subject, now);
                for (int i = 0; i < reservers.size(); i++) {
                    assertThat(model.opensAt(reservers.get(i), now))
                            .as("%s postpones %s at %s", subject, reservers.get(i), now)
                            .isLessThanOrEqualTo(openingsBefore.get(i));
                }
                allocations.put(subject, grant.allocation());
            }
        }

        private void check() {
            BruteForce.@Nullable Waiter reserver = admission
                    .reserver()
                    .map(ticket -> model.waiting.get(ticket.subject()))
                    .orElse(null);
            List<BruteForce.Waiter> windows = windowReservers();
            for (var waiter : model.waiting.values()) {
                boolean polled = polls.stream()
                        .anyMatch(poll -> poll.isOpen()
                                && poll.modules.stream()
                                        .anyMatch(module ->
                                                module.name.equals(waiter.spec().module())));
                boolean stuck = polled && model.canStart(waiter, reserver, windows, now);
                assertThat(stuck)
                        .as("%s could start at %s and waits: %s", waiter.ticket(), now, model.describe(waiter, now))
                        .isFalse();
                var blockers = admission.explain(waiter.ticket(), now).blockers();
                if (polled) {
                    assertThat(blockers).as("why %s waits", waiter.ticket()).isNotEmpty();
                }
                var first = blockers.stream().findFirst().map(it -> new Hold(it.limit(), it.cause()));
                assertThat(admission.firstHold(waiter.ticket(), now)).isEqualTo(first);
            }
            for (LimitId.Shared key : keys) {
                model.checkUsage(admission, key, now);
                checkWaitlist(key);
            }
            MODULES.forEach(module -> model.checkModule(admission, module, now));
        }

        /** Checks that a key's waitlist has exactly the tickets that ask for the key and that it refuses. */
        private void checkWaitlist(LimitId.Shared key) {
            List<Ticket> refused = model.waiting.values().stream()
                    .map(BruteForce.Waiter::ticket)
                    .filter(ticket -> !ticket.lane().isParked())
                    .filter(ticket -> admission.explain(ticket, now).blockers().stream()
                            .anyMatch(blocker -> key.equals(blocker.limit())))
                    .toList();
            assertThat(admission.waitlist(key, Integer.MAX_VALUE, now))
                    .as("waitlist of %s at %s", key, now)
                    .containsExactlyInAnyOrderElementsOf(refused);
            assertThat(admission.findLimit(key, now).map(LimitSnapshot::waiting).orElse(0))
                    .isEqualTo(refused.size());
        }

        /** The tickets with a window reservation. A limit may have only one of them. */
        private List<BruteForce.Waiter> windowReservers() {
            List<BruteForce.Waiter> windows = new ArrayList<>();
            Set<LimitId.Shared> limits = new HashSet<>();
            for (Ticket ticket : admission.windowReservers()) {
                var waiter = model.waiting.get(ticket.subject());
                assertThat(waiter).as("%s waits", ticket).isNotNull();
                if (waiter != null) {
                    windows.add(waiter);
                    for (LimitNeed need : waiter.spec().needs()) {
                        assertThat(model.isRated(need) && !limits.add(need.limit()))
                                .as("%s is reserved for two", need.limit())
                                .isFalse();
                    }
                }
            }
            return windows;
        }

        private List<String> waiters() {
            return model.waiting.values().stream()
                    .map(waiter -> model.describe(waiter, now) + admission.explain(waiter.ticket(), now))
                    .toList();
        }

        /** Ends pauses and pins, and polls for all modules. Time and releases alone must then start everything. */
        private void drain() {
            for (LimitId.Shared key : keys) {
                admission.resume(key);
                model.pauses.remove(key);
                admission.unpin(key);
                model.pins.remove(key);
            }
            admission.openPoll(new AdmissionFixture.NamedSubject("drain"), MODULES, Integer.MAX_VALUE, now);
            passUntilDone();
            model.waiting.values().removeIf(waiter -> {
                boolean wide = waiter.spec().runDemand().slots()
                        > waiter.run().limits().maxSlots();
                if (wide) {
                    admission.withdraw(waiter.ticket(), now);
                }
                return wide;
            });
            for (int round = 0; !model.waiting.isEmpty() || !model.running.isEmpty(); round++) {
                assertThat(round)
                        .as("rounds to drain, at %s, next %s: %s", now, admission.nextWakeup(), waiters())
                        .isLessThan(10_000);
                List.copyOf(model.running.keySet()).forEach(this::finish);
                passUntilDone();
                if (model.running.isEmpty() && !model.waiting.isEmpty()) {
                    assertThat(admission.nextWakeup())
                            .as("wake-up for waiting tickets")
                            .isNotEqualTo(Moment.NEVER);
                    now = Math.max(now, admission.nextWakeup());
                    passUntilDone();
                }
            }
        }
    }
}
