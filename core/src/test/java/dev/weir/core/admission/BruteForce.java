package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A plain model of admission: lists that are counted on every question. */
final class BruteForce {
    final Map<Subject, Waiter> waiting = new LinkedHashMap<>();
    final Map<Subject, RunningSubject> running = new LinkedHashMap<>();
    private long now;
    final Map<LimitId.Shared, Pin> pins = new HashMap<>();
    final Map<LimitId.Shared, Long> pauses = new HashMap<>();
    final Set<LimitId.Shared> limitsWithRates = new LinkedHashSet<>();
    private final List<RecordedStart> starts = new ArrayList<>();

    record Run(RunLimiter limiter, RunLimitValues limits, long startedAt) {}

    record Waiter(Run run, Ticket ticket, TicketSpec spec) {}

    record RunningSubject(Run run, TicketSpec spec) {}

    private record RecordedStart(Run run, TicketSpec spec, long at, Map<LimitId.Shared, Rate> judgedBy) {}

    void enqueue(Run run, Ticket ticket) {
        waiting.put(ticket.subject(), new Waiter(run, ticket, ticket.spec()));
        for (LimitNeed need : ticket.spec().needs()) {
            if (need.rate() != null) {
                limitsWithRates.add(need.limit());
            }
        }
    }

    void recordGrant(Subject subject, long now) {
        Waiter waiter = waiting.remove(subject);
        if (waiter == null) {
            throw new AssertionError("granted, but it did not wait: " + subject);
        }
        running.put(subject, new RunningSubject(waiter.run, waiter.spec));
        starts.add(recordedStart(waiter, now));
    }

    private RecordedStart recordedStart(Waiter waiter, long now) {
        Map<LimitId.Shared, Rate> judgedBy = new HashMap<>();
        for (LimitNeed need : waiter.spec.needs()) {
            Rate rate = rate(need);
            if (rate != null) {
                judgedBy.put(need.limit(), rate);
            }
        }
        // Starts are not counted on limits without a rate.
        return new RecordedStart(
                waiter.run, without(waiter.spec, need -> !limitsWithRates.contains(need.limit())), now, judgedBy);
    }

    void reset(LimitId.Shared limit) {
        for (int i = 0; i < starts.size(); i++) {
            RecordedStart start = starts.get(i);
            var spec = without(start.spec, need -> need.limit().equals(limit));
            starts.set(i, new RecordedStart(start.run, spec, start.at, start.judgedBy));
        }
    }

    private static TicketSpec without(TicketSpec spec, Predicate<LimitNeed> dropped) {
        List<LimitNeed> rest = spec.needs().stream().filter(dropped.negate()).toList();
        return new TicketSpec(spec.module(), rest, spec.runDemand(), spec.priority());
    }

    void expire(long time) {
        now = time;
        pins.values().removeIf(pin -> pin.until() <= time);
        pauses.values().removeIf(until -> until <= time);
    }

    /**
     * True if a ticket may start. Tickets with window reservations, given oldest first, need not wait for younger ones.
     */
    boolean canStart(Waiter waiter, @Nullable Waiter reserver, List<Waiter> windows, long now) {
        return runAllows(waiter, reserver, now)
                && waiter.spec.needs().stream().allMatch(need -> allows(need, otherReserver(waiter, reserver), now))
                && windows.stream()
                        .takeWhile(window -> !window.equals(waiter))
                        .noneMatch(it -> delays(waiter, it, now));
    }

    /** The tickets older than a granted one that had a window reservation before and still have it. */
    List<Waiter> olderReservers(Ticket granted, List<WindowReservation> before, Admission admission) {
        List<WindowReservation> still = reservations(admission);
        List<Waiter> reserved = new ArrayList<>();
        for (WindowReservation reservation : before) {
            Waiter waiter = waiting.get(reservation.ticket.subject());
            if (waiter != null && reservation.ticket.isBefore(granted) && still.contains(reservation)) {
                reserved.add(waiter);
            }
        }
        return reserved;
    }

    static List<WindowReservation> reservations(Admission admission) {
        Set<WindowReservation> found = new LinkedHashSet<>();
        for (Ticket ticket : admission.windowReservers()) {
            for (SharedDemand demand : ticket.lane().ticketClass.demands) {
                WindowReservation window = demand.limit.windowReservation;
                if (window != null && window.ticket.subject().equals(ticket.subject())) {
                    found.add(window);
                }
            }
        }
        return List.copyOf(found);
    }

    /** True if a start now would delay a ticket that has a window reservation. */
    private boolean delays(Waiter waiter, Waiter window, long now) {
        long before = opensAt(window, now);
        starts.add(recordedStart(waiter, now));
        long after = opensAt(window, now);
        starts.removeLast();
        return after > before;
    }

    /**
     * The time when the rates let a ticket start if nothing else starts. It is one of the times at which a start stops
     * counting.
     */
    long opensAt(Waiter waiter, long now) {
        TreeSet<Long> times = new TreeSet<>(Set.of(now));
        for (LimitNeed need : waiter.spec.needs()) {
            Rate rate = rate(need);
            if (rate != null) {
                starts.forEach(start -> times.add(start.at + rate.period()));
            }
        }
        for (long at : times.tailSet(now)) {
            if (waiter.spec.needs().stream().allMatch(need -> rateAllows(need, at))) {
                return at;
            }
        }
        return Long.MAX_VALUE;
    }

    private boolean rateAllows(LimitNeed need, long now) {
        Rate rate = rate(need);
        return rate == null || used(need.limit(), rate, now) + need.cost() <= rate.count();
    }

    private static @Nullable Waiter otherReserver(Waiter waiter, @Nullable Waiter reserver) {
        return reserver != null && reserver.ticket.subject().equals(waiter.ticket.subject()) ? null : reserver;
    }

    private boolean runAllows(Waiter waiter, @Nullable Waiter anyReserver, long now) {
        Waiter reserver = otherReserver(waiter, anyReserver);
        List<TicketSpec.RunDemand> here = running.values().stream()
                .filter(runningSubject -> runningSubject.run.equals(waiter.run))
                .map(runningSubject -> runningSubject.spec.runDemand())
                .toList();
        TicketSpec.RunDemand own = waiter.spec.runDemand();
        boolean reserved = reserver != null && reserver.run.equals(waiter.run);
        TicketSpec.RunDemand other = reserved && reserver != null ? reserver.spec.runDemand() : null;
        int slots = here.stream().mapToInt(TicketSpec.RunDemand::slots).sum();
        boolean alone =
                here.isEmpty() || (!own.exclusive() && here.stream().noneMatch(TicketSpec.RunDemand::exclusive));
        long items = here.stream()
                .filter(local -> own.fanOut() != null && own.fanOut().equals(local.fanOut()))
                .count();
        RunLimitValues limits = waiter.run.limits;
        long tick = (now - waiter.run.startedAt) / limits.tick();
        long inTick = starts.stream()
                .filter(start ->
                        start.run.equals(waiter.run) && (start.at - start.run.startedAt) / limits.tick() == tick)
                .count();
        return alone
                && (other == null || !other.exclusive())
                && here.size() + 1 + (other == null ? 0 : 1) <= limits.maxSteps()
                && slots + own.slots() + (other == null ? 0 : other.slots()) <= limits.maxSlots()
                && (own.fanOut() == null || items < own.fanOut().concurrency())
                && inTick < limits.stepsPerTick();
    }

    private boolean allows(LimitNeed need, @Nullable Waiter reserver, long now) {
        if (pauses.containsKey(need.limit())) {
            return false;
        }
        int capacity = parallelism(need);
        int reserved = Integer.MAX_VALUE;
        if (reserver != null) {
            for (LimitNeed other : reserver.spec.needs()) {
                if (other.limit().equals(need.limit()) && parallelism(other) != LimitNeed.UNLIMITED) {
                    reserved = parallelism(other) - other.weight();
                }
            }
        }
        long inUse = inUse(need.limit());
        if (inUse + need.weight() > Math.min(capacity, reserved)) {
            return false;
        }
        return rateAllows(need, now);
    }

    /** Checks the usage that admission shows for a limit. */
    void checkUsage(Admission admission, LimitId.Shared limit, long now) {
        admission
                .findLimit(limit, now)
                .ifPresent(view -> assertThat(view.used()).isEqualTo((int) inUse(limit)));
    }

    /** Checks the counts of a module, and that some tickets are ready exactly if one of them could start. */
    void checkModule(Admission admission, String module, long now) {
        ModuleSnapshot found = admission.moduleDirectory().snapshot(module, 1, now);
        List<Waiter> waiters = waiting.values().stream()
                .filter(waiter -> waiter.spec.module().equals(module))
                .toList();
        assertThat(found.waiting()).as("waiting: %s", found).isEqualTo(waiters.size());
        assertThat(found.running())
                .as("running: %s", found)
                .isEqualTo(running.values().stream()
                        .filter(subject -> subject.spec.module().equals(module))
                        .count());
        long held = found.held().values().stream().mapToLong(Long::longValue).sum();
        assertThat(found.ready() + held).as("ready and held: %s", found).isEqualTo(found.waiting());
        assertThat(found.held().values()).as("%s", found).allMatch(count -> count > 0);
        if (admission.reserver().isEmpty() && admission.windowReservers().isEmpty()) {
            assertThat(found.ready() > 0)
                    .as("%s at %s: %s", found, now, waiters)
                    .isEqualTo(waiters.stream().anyMatch(waiter -> canStart(waiter, null, List.of(), now)));
        }
    }

    String describe(Waiter waiter, long now) {
        var text = new StringBuilder()
                .append(waiter.spec)
                .append(waiter.run)
                .append(" run allows: ")
                .append(runAllows(waiter, null, now))
                .append(describeLane(waiter.ticket.lane()));
        for (LimitNeed need : waiter.spec.needs()) {
            Rate rate = rate(need);
            text.append("\n  ")
                    .append(need.limit())
                    .append(" paused ")
                    .append(pauses.get(need.limit()))
                    .append(" pin ")
                    .append(pins.get(need.limit()))
                    .append(" held ")
                    .append(inUse(need.limit()))
                    .append(" rate used ")
                    .append(rate == null ? 0 : used(need.limit(), rate, now));
        }
        return text.toString();
    }

    private static String describeLane(Lane lane) {
        SharedDemand parkedAt = lane.ticketClass.parkedAt();
        return " lane parked " + lane.isParked() + " offers " + lane.offered + " run wakes " + lane.run.wakeAt()
                + " class admissible " + lane.ticketClass.admissible + " parked at "
                + (parkedAt == null ? "none" : parkedAt.limit + " wakes " + parkedAt.limit.wakeAt());
    }

    int parallelism(LimitNeed need) {
        Pin pin = pins.get(need.limit());
        Integer pinned = pin == null ? null : inForce(pin.parallelism());
        return pinned == null ? need.parallelism() : pinned;
    }

    boolean isRated(LimitNeed need) {
        return rate(need) != null;
    }

    private @Nullable Rate rate(LimitNeed need) {
        Pin pin = pins.get(need.limit());
        Rate pinned = pin == null ? null : inForce(pin.rate());
        return pinned == null ? need.rate() : pinned;
    }

    private <T> @Nullable T inForce(OperatorSetting<T> setting) {
        return setting.temporary() == null || setting.until() <= now ? setting.lasting() : setting.temporary();
    }

    long inUse(LimitId.Shared limit) {
        return running.values().stream()
                .flatMap(runningSubject -> runningSubject.spec.needs().stream())
                .filter(need -> need.limit().equals(limit))
                .mapToLong(LimitNeed::weight)
                .sum();
    }

    private long used(LimitId.Shared limit, Rate rate, long now) {
        List<RecordedStart> counted = switch (rate.window()) {
            case SLIDING ->
                starts.stream().filter(start -> start.at > now - rate.period()).toList();
            case FIXED -> openWindow(limit, rate, now);
        };
        return counted.stream()
                .flatMap(start -> start.spec.needs().stream())
                .filter(need -> need.limit().equals(limit))
                .mapToLong(LimitNeed::cost)
                .sum();
    }

    /** The starts from the one that opened the current window. */
    private List<RecordedStart> openWindow(LimitId.Shared limit, Rate rate, long now) {
        int opener = -1;
        for (int i = 0; i < starts.size(); i++) {
            RecordedStart start = starts.get(i);
            boolean counts =
                    start.spec.needs().stream().anyMatch(need -> need.limit().equals(limit));
            Rate judgedBy = start.judgedBy.get(limit);
            boolean same = judgedBy != null && judgedBy.window() == Window.FIXED && judgedBy.period() == rate.period();
            if (counts && same && (opener < 0 || start.at >= starts.get(opener).at + rate.period())) {
                opener = i;
            }
        }
        boolean open = opener >= 0 && now < starts.get(opener).at + rate.period();
        return open ? starts.subList(opener, starts.size()) : List.of();
    }
}
