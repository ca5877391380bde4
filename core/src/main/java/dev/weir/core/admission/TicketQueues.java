package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves tickets between their lane, their class and a grant. A class that cannot start is parked at the first demand
 * that refuses it, and a lane at its run. Either is judged again only when that wait point has changed.
 */
final class TicketQueues {
    final AdmissionRegistry registry = new AdmissionRegistry();
    final CapacityReservation reservation;
    final DirtyQueue agenda = new DirtyQueue();
    final TicketParking parking = new TicketParking(registry, agenda);
    final MatchableModules hot = new MatchableModules(registry);
    private List<Grant> grants = new ArrayList<>();
    /** Number of classes and wait points judged since the beginning. */
    private long judgements;

    TicketQueues(int overtakingsMax) {
        this.reservation = new CapacityReservation(this, overtakingsMax);
    }

    /** Adds a new ticket to its lane. */
    Ticket enqueue(RunLimiter run, TicketSpec spec, Ticket.Entry entry, long now) {
        Lane lane = run.findLane(spec);
        if (lane == null) {
            TicketClass group = registry.classOf(spec);
            lane = new Lane(run, group.shared(spec), group);
            lane.group.lanes++;
            run.addLane(lane);
        }
        var ticket = new Ticket(lane, entry);
        count(lane, 1);
        if (lane.idle() && run.judge(ticket, now).admits() && !run.contended(now)) {
            offer(ticket, now);
        } else {
            lane.add(ticket);
            arrange(lane, now);
        }
        return ticket;
    }

    private static void count(Lane lane, int change) {
        TicketClass group = lane.group;
        for (int i = 0; i < group.demands.size(); i++) {
            group.demands.get(i).limit.waiting += change;
        }
        if (!lane.parked()) {
            group.countOffering(change);
        }
    }

    /** Ends a ticket's wait without a grant. */
    void withdraw(Ticket ticket, long now) {
        pluck(ticket);
        count(ticket.lane(), -1);
        arrange(ticket.lane(), now);
    }

    /** Removes a ticket from the queue that it is in. */
    private void pluck(Ticket ticket) {
        if (!ticket.waits()) {
            throw new IllegalStateException("expected a ticket that waits, found " + ticket);
        }
        ticket.endWait();
        reservation.forget(ticket);
        Lane lane = ticket.lane();
        if (ticket.offered()) {
            retract(ticket);
            return;
        }
        if (lane.parked()) {
            parking.unpark(lane);
        }
        lane.remove(ticket);
    }

    /** Takes an offer back out of its class. */
    private void retract(Ticket ticket) {
        Lane lane = ticket.lane();
        TicketClass group = lane.group;
        boolean first = group.head() == ticket;
        group.offers.remove(ticket);
        ticket.offered(false);
        lane.offered = null;
        parking.returned(lane, ticket);
        if (first && !group.idle()) {
            if (group.offers.isEmpty()) {
                detach(group);
            } else {
                rerank(group);
            }
        }
    }

    /** Moves a lane to where it belongs: it offers its oldest ticket, is parked at its run, or is dropped. */
    private void arrange(Lane lane, long now) {
        Ticket oldest = lane.peek();
        if (oldest == null) {
            if (lane.offered == null) {
                drop(lane, now);
            }
            return;
        }
        Ticket offered = lane.offered;
        if (offered != null) {
            if (!oldest.before(offered)) {
                return;
            }
            retract(offered);
            lane.add(offered);
        } else if (lane.parked()) {
            parking.rerank(lane);
            return;
        }
        if (lane.run.judge(oldest, now).admits() && !lane.run.contended(now)) {
            lane.remove(oldest);
            offer(oldest, now);
        } else {
            parking.park(lane, now);
        }
    }

    private void drop(Lane lane, long now) {
        lane.run.removeLane(lane);
        lane.group.lanes--;
        if (lane.group.lanes == 0) {
            registry.idle(lane.group, now);
        }
    }

    private void offer(Ticket ticket, long now) {
        Lane lane = ticket.lane();
        TicketClass group = lane.group;
        lane.offered = ticket;
        ticket.offered(true);
        group.offers.add(ticket);
        if (group.idle()) {
            settle(group, false, now);
        } else if (group.head() == ticket) {
            rerank(group);
        }
    }

    private void rerank(TicketClass group) {
        if (group.parked) {
            parking.rerank(group);
        } else {
            hot.rerank(group);
        }
    }

    /**
     * Judges an idle class and queues or parks it accordingly. If room has come free and other classes wait for it,
     * this class waits with them, unless it is next.
     */
    private void settle(TicketClass group, boolean itsTurn, long now) {
        if (findStartable(group, now) == null) {
            return;
        }
        SharedDemand contended = itsTurn ? null : group.firstContended(now);
        if (contended == null) {
            hot.add(group);
        } else {
            parking.park(group, contended, now);
        }
    }

    /** Decides if an offered ticket may start: its shared limits and its run's own limits must all admit it. */
    private static Verdict judge(Ticket offered, long now) {
        Verdict shared = offered.lane().group.judge(offered, now);
        return shared.admits() ? offered.lane().run.judge(offered, now) : shared;
    }

    /**
     * Returns the head of an idle class if it may start. Otherwise parks the class, or leaves it idle without offers.
     */
    private @Nullable Ticket findStartable(TicketClass group, long now) {
        for (Ticket head = group.offers.peek(); head != null; head = group.offers.peek()) {
            judgements++;
            switch (judge(head, now)) {
                case Verdict.Admit ignored -> {
                    return head;
                }
                case Verdict.HeldByLimit held -> {
                    parking.park(group, held.demand(), now);
                    return null;
                }
                case Verdict.HeldByRun ignored -> sendBack(head, now);
                case Verdict.Closed ignored -> sendBack(head, now);
            }
        }
        return null;
    }

    /** Puts an offer whose run has filled up meanwhile back into its lane, and parks the lane at the run. */
    private void sendBack(Ticket head, long now) {
        Lane lane = head.lane();
        lane.group.offers.remove(head);
        head.offered(false);
        lane.offered = null;
        lane.add(head);
        parking.park(lane, now);
        parking.returned(lane, head);
    }

    private void detach(TicketClass group) {
        if (group.admissible) {
            hot.remove(group);
            parking.returned(group);
        } else if (group.parked) {
            parking.unpark(group);
        }
    }

    /** Grants all tickets that may start, within the given number of judgements. */
    List<Grant> pass(long now, int most) {
        long end = judgements + most;
        agenda.due(now);
        reservation.refresh(now);
        while (judgements < end) {
            ModuleQueue module = hot.first();
            if (module != null) {
                serve(module, now);
                continue;
            }
            WaitPoint place = agenda.next();
            if (place != null) {
                wake(place, now);
            } else if (!reservation.refresh(now)) {
                break;
            }
        }
        for (SharedLimit bare : registry.dropIdle(now)) {
            agenda.changed(bare);
        }
        return takeGrants();
    }

    /** True if the last pass has left work. */
    boolean pending() {
        return !hot.isEmpty() || agenda.next() != null;
    }

    /** Judges the module's best class again, and grants its head if it may still start. */
    private void serve(ModuleQueue module, long now) {
        Poll poll = module.firstPoll();
        TicketClass group = module.admissible.peek();
        if (poll == null || group == null) {
            throw new IllegalStateException("expected a poll and a class for module " + module.name);
        }
        detach(group);
        Ticket head = findStartable(group, now);
        if (head != null) {
            grant(head, poll, now);
        }
    }

    /**
     * Wakes the best class or lane parked at a wait point that it would admit. If there is none, the wait point is
     * done.
     */
    private void wake(WaitPoint place, long now) {
        judgements++;
        boolean woke = switch (place) {
            case SharedLimit limit -> wakeClass(limit, now);
            case RunLimiter run -> wakeLane(run, now);
        };
        if (!woke) {
            agenda.seenTo(place);
            rest(place, now);
        }
    }

    private void rest(WaitPoint place, long now) {
        switch (place) {
            case SharedLimit limit -> {
                boolean forgotten = limit.forgettable(now);
                if (forgotten) {
                    registry.forget(limit);
                }
                agenda.schedule(limit, forgotten ? Moment.NEVER : limit.nextChange(now));
            }
            case RunLimiter run -> agenda.schedule(run, run.hasParked() ? run.nextChange(now) : Moment.NEVER);
        }
    }

    private boolean wakeClass(SharedLimit limit, long now) {
        ParkedClasses bay = limit.bestOpen(now);
        if (bay == null) {
            return false;
        }
        TicketClass group = bay.best();
        Ticket head = group.head();
        group.freedFrom = bay.at().refused;
        group.heldSince = now;
        detach(group);
        settle(group, true, now);
        parking.scout(bay, group);
        if (group.parked && head.waits()) {
            reservation.overtaken(head);
        }
        return true;
    }

    private boolean wakeLane(RunLimiter run, long now) {
        Lane lane = run.bestOpen(now);
        if (lane == null) {
            return false;
        }
        parking.unpark(lane);
        Ticket oldest = lane.head();
        lane.remove(oldest);
        offer(oldest, now);
        parking.scout(lane.shelf(), oldest);
        return true;
    }

    /** Grants a ticket that was judged just now. */
    void grant(Ticket ticket, @Nullable Poll poll, long now) {
        Lane lane = ticket.lane();
        TicketClass group = lane.group;
        WaitRecord kept = lane.held(now);
        pluck(ticket);
        count(lane, -1);
        reservation.wentBefore(ticket, now);
        var entry = new Ticket.Entry(ticket.subject(), ticket.since(), ticket.tie(), ticket.item());
        var holding = new Allocation(lane.run.held(), lane.spec, entry, group.demands, now);
        holding.kept(kept);
        holding.takeAll(now);
        grants.add(new Grant(holding, poll));
        if (poll != null) {
            poll.give(ticket.subject());
            if (!poll.open()) {
                hot.leave(poll, now);
            }
        }
        detach(group);
        arrange(lane, now);
        if (group.idle()) {
            settle(group, false, now);
        }
    }

    /** Grants a ticket with a reservation to the first poll for it, if it may start. Returns true if it did. */
    boolean startNow(Ticket ticket, long now) {
        Poll poll = ticket.lane().group.module.firstPoll();
        boolean may = poll != null && mayStart(ticket, now);
        if (may) {
            grant(ticket, poll, now);
        }
        return may;
    }

    void release(Allocation holding, long now) {
        holding.giveBack(now);
        RunLimiter run = holding.run();
        if (run != null && run.hasParked()) {
            agenda.changed(run);
        }
        for (SharedDemand demand : holding.demands()) {
            if (demand.limit.parked > 0 || demand.limit.demands().isEmpty()) {
                agenda.changed(demand.limit);
            }
        }
    }

    /** True if all of its limits admit a ticket now. */
    boolean mayStart(Ticket ticket, long now) {
        return ticket.lane().run.judge(ticket, now).admits()
                && ticket.lane().group.judge(ticket, now).admits();
    }

    /** True if a ticket of this lane could start. All ask for the same, but one of them may have a reservation. */
    boolean mayStart(Lane lane, long now) {
        Ticket asker = reservation.reserverIn(lane);
        boolean self = asker != null && reservation.keptFor(asker);
        return lane.run.judge(lane.spec.local(), self, now).admits()
                && lane.group.judge(asker, now).admits();
    }

    long judgements() {
        return judgements;
    }

    /** The number of grants since the last {@link #takeGrants}. */
    int granted() {
        return grants.size();
    }

    /** Returns and clears the collected grants. */
    List<Grant> takeGrants() {
        List<Grant> granted = grants;
        grants = new ArrayList<>();
        return granted;
    }
}
