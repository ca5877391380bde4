package dev.weir.core.admission;

import dev.weir.core.admission.Explanation.Blocker;
import dev.weir.core.admission.Explanation.Expected;
import dev.weir.core.admission.Explanation.Usage;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains why a ticket waits. It only reads. */
final class Explainer {
    /** Maximum owners of allocations that an explanation names. */
    private static final int HOLDERS_MAX = 20;

    private final Ticket ticket;
    private final Lane lane;
    private final boolean ownsReservation;
    private final long now;
    private final QueuePositions positions;
    private final List<Blocker> blockers = new ArrayList<>();

    private Explainer(Ticket ticket, boolean ownsReservation, long now) {
        this.ticket = ticket;
        this.lane = ticket.lane();
        this.ownsReservation = ownsReservation;
        this.now = now;
        this.positions = new QueuePositions(ticket);
    }

    static Explanation explain(Ticket ticket, boolean ownsReservation, long now) {
        if (!ticket.isWaiting()) {
            return new Explanation(List.of());
        }
        var explainer = new Explainer(ticket, ownsReservation, now);
        for (LimitId.Local limit : LimitId.Local.values()) {
            explainer.addRunHold(limit);
        }
        for (SharedDemand demand : ticket.lane().ticketClass.demands) {
            explainer.addSharedHolds(demand);
        }
        explainer.addMissingWorker();
        return new Explanation(List.copyOf(explainer.blockers));
    }

    /** The first hold of a ticket, in the order in which {@link #explain} names them. */
    static @Nullable Hold firstHold(Ticket ticket, boolean ownsReservation, long now) {
        if (!ticket.isWaiting()) {
            return null;
        }
        Lane lane = ticket.lane();
        if (lane.run.judge(lane.spec.runDemand(), ownsReservation, now) instanceof Verdict.HeldByRun held) {
            return held.hold();
        }
        for (SharedDemand demand : lane.ticketClass.demands) {
            if (demand.limit.judge(demand, ticket, now) instanceof HoldCause cause) {
                return new Hold(demand.limit.id, cause);
            }
        }
        return lane.ticketClass.module.isPolled(now) ? null : Hold.NO_WORKER;
    }

    private void addRunHold(LimitId.Local limit) {
        RunLimiter run = lane.run;
        if (!(run.judge(limit, lane.spec.runDemand(), ownsReservation, now) instanceof HoldCause cause)) {
            return;
        }
        long position = positions.inRun();
        Expected expected = cause == HoldCause.RATE ? new Expected(run.nthTickAt(position, now), false) : null;
        blockers.add(new Blocker(
                limit,
                cause,
                run.usage(limit, lane.spec.runDemand(), now),
                limit == LimitId.Local.FAN_OUT ? itemsOf(run) : limitToMax(run.running()),
                position,
                ticket.since(),
                expected));
    }

    /** The items of the same fan-out. Other steps of the run use nothing of its {@code concurrency}. */
    private List<Subject> itemsOf(RunLimiter run) {
        FanOutLimit own = lane.spec.runDemand().fanOut();
        return own == null ? List.of() : run.running(own, HOLDERS_MAX);
    }

    private static List<Subject> limitToMax(List<Subject> subjects) {
        return subjects.subList(0, Math.min(HOLDERS_MAX, subjects.size()));
    }

    /** Adds the holds of a shared limit. Its capacity and its rate can refuse at the same time, and each is named. */
    private void addSharedHolds(SharedDemand demand) {
        SharedLimit limit = demand.limit;
        if (limit.isPaused(now)) {
            blockers.add(blocker(demand, HoldCause.PAUSED, capacityUsage(demand), TurnForecast.pauseEnd(limit)));
        }
        if (limit.judgeCapacity(demand, ownsReservation) instanceof HoldCause capacity) {
            Expected turn = TurnForecast.capacityTurn(demand, capacity, positions.at(limit), now);
            blockers.add(blocker(demand, capacity, capacityUsage(demand), turn));
        }
        if (limit.judgeRate(demand, ticket, now) instanceof HoldCause rate) {
            Expected turn = TurnForecast.rateTurn(demand, rate, positions.at(limit), now);
            blockers.add(blocker(demand, rate, rateUsage(demand), turn));
        }
    }

    private Blocker blocker(SharedDemand demand, HoldCause cause, Usage usage, @Nullable Expected expected) {
        TicketClass ticketClass = lane.ticketClass;
        boolean parkedHere = ticketClass.parkedAt() == demand;
        long heldSince = parkedHere
                ? Math.max(ticketClass.parkedOrFreedAt, ticketClass.parkedGroup().heldSince)
                : ticket.since();
        long since = Math.max(ticket.since(), heldSince);
        List<Subject> holders = demand.limit.allocations.subjects(HOLDERS_MAX);
        return new Blocker(demand.limit.id, cause, usage, holders, positions.at(demand.limit), since, expected);
    }

    private static Usage capacityUsage(SharedDemand demand) {
        return new Usage(demand.limit.used, demand.limit.parallelism(demand));
    }

    private Usage rateUsage(SharedDemand demand) {
        Rate rate = demand.limit.rate(demand.need);
        RateUsage usage = demand.limit.usage(demand);
        return rate == null || usage == null
                ? new Usage(0, LimitNeed.UNLIMITED)
                : new Usage(usage.used(now), rate.count());
    }

    private void addMissingWorker() {
        ModuleQueue module = lane.ticketClass.module;
        if (!module.isPolled(now)) {
            long position = positions.atModule();
            var usage = new Usage(0, 0);
            blockers.add(new Blocker(null, HoldCause.NO_WORKER, usage, List.of(), position, ticket.since(), null));
        }
    }
}
