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
    final DirtyQueue dirtyQueue = new DirtyQueue();
    final TicketParking parking = new TicketParking(registry, dirtyQueue);
    final MatchableModules matchableModules = new MatchableModules(registry);
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
            TicketClass ticketClass = registry.classOf(spec);
            lane = new Lane(run, ticketClass.intern(spec), ticketClass);
            lane.ticketClass.laneCount++;
            run.addLane(lane);
        }
        var ticket = new Ticket(lane, entry);
        lane.countTickets(1);
        if (lane.isIdle() && run.judge(ticket, now).admits() && !run.isContended(now)) {
            offer(ticket, now);
        } else {
            lane.add(ticket);
            offerOrPark(lane, now);
        }
        return ticket;
    }

    /** Ends a ticket's wait without a grant. */
    void withdraw(Ticket ticket, long now) {
        removeFromQueue(ticket);
        ticket.lane().countTickets(-1);
        offerOrPark(ticket.lane(), now);
    }

    /** Removes a ticket from the queue that it is in. */
    private void removeFromQueue(Ticket ticket) {
        if (!ticket.isWaiting()) {
            throw new IllegalStateException("expected a ticket that waits, found " + ticket);
        }
        ticket.endWait();
        reservation.remove(ticket);
        Lane lane = ticket.lane();
        if (ticket.offered()) {
            retract(ticket);
            return;
        }
        if (lane.isParked()) {
            parking.unpark(lane);
        }
        lane.remove(ticket);
    }

    /** Takes an offer back out of its class. */
    private void retract(Ticket ticket) {
        Lane lane = ticket.lane();
        TicketClass ticketClass = lane.ticketClass;
        boolean first = ticketClass.head() == ticket;
        ticketClass.offers.remove(ticket);
        ticket.offered(false);
        lane.offered = null;
        parking.wakeRepresented(lane, ticket);
        if (first && !ticketClass.isIdle()) {
            if (ticketClass.offers.isEmpty()) {
                dequeue(ticketClass);
            } else {
                rerank(ticketClass);
            }
        }
    }

    /** Moves a lane to where it belongs: it offers its oldest ticket, is parked at its run, or is dropped. */
    private void offerOrPark(Lane lane, long now) {
        Ticket oldest = lane.peek();
        if (oldest == null) {
            if (lane.offered == null) {
                drop(lane, now);
            }
            return;
        }
        Ticket offered = lane.offered;
        if (offered != null) {
            if (!oldest.isBefore(offered)) {
                return;
            }
            retract(offered);
            lane.add(offered);
        } else if (lane.isParked()) {
            parking.rerank(lane);
            return;
        }
        if (lane.run.judge(oldest, now).admits() && !lane.run.isContended(now)) {
            lane.remove(oldest);
            offer(oldest, now);
        } else {
            parking.park(lane, now);
        }
    }

    private void drop(Lane lane, long now) {
        lane.run.removeLane(lane);
        lane.ticketClass.laneCount--;
        if (lane.ticketClass.laneCount == 0) {
            registry.markIdle(lane.ticketClass, now);
        }
    }

    private void offer(Ticket ticket, long now) {
        Lane lane = ticket.lane();
        TicketClass ticketClass = lane.ticketClass;
        lane.offered = ticket;
        ticket.offered(true);
        ticketClass.offers.add(ticket);
        if (ticketClass.isIdle()) {
            queueOrPark(ticketClass, false, now);
        } else if (ticketClass.head() == ticket) {
            rerank(ticketClass);
        }
    }

    private void rerank(TicketClass ticketClass) {
        if (ticketClass.parked) {
            parking.rerank(ticketClass);
        } else {
            matchableModules.rerank(ticketClass);
        }
    }

    /**
     * Judges an idle class and queues or parks it accordingly. If room has come free and other classes wait for it,
     * this class waits with them, unless it is next.
     */
    private void queueOrPark(TicketClass ticketClass, boolean isNext, long now) {
        if (findStartable(ticketClass, now) == null) {
            return;
        }
        SharedDemand contended = isNext ? null : ticketClass.firstContended(now);
        if (contended == null) {
            matchableModules.add(ticketClass);
        } else {
            parking.park(ticketClass, contended, now);
        }
    }

    /** Decides if an offered ticket may start: its shared limits and its run's own limits must all admit it. */
    private static Verdict judge(Ticket offered, long now) {
        Verdict shared = offered.lane().ticketClass.judge(offered, now);
        return shared.admits() ? offered.lane().run.judge(offered, now) : shared;
    }

    /**
     * Returns the head of an idle class if it may start. Otherwise parks the class, or leaves it idle without offers.
     */
    private @Nullable Ticket findStartable(TicketClass ticketClass, long now) {
        for (Ticket head = ticketClass.offers.peek(); head != null; head = ticketClass.offers.peek()) {
            judgements++;
            switch (judge(head, now)) {
                case Verdict.Admit ignored -> {
                    return head;
                }
                case Verdict.HeldByLimit held -> {
                    parking.park(ticketClass, held.demand(), now);
                    return null;
                }
                case Verdict.HeldByRun ignored -> returnToLane(head, now);
                case Verdict.Closed ignored -> returnToLane(head, now);
            }
        }
        return null;
    }

    /** Puts an offer whose run has filled up meanwhile back into its lane, and parks the lane at the run. */
    private void returnToLane(Ticket head, long now) {
        Lane lane = head.lane();
        lane.ticketClass.offers.remove(head);
        head.offered(false);
        lane.offered = null;
        lane.add(head);
        parking.park(lane, now);
        parking.wakeRepresented(lane, head);
    }

    private void dequeue(TicketClass ticketClass) {
        if (ticketClass.admissible) {
            matchableModules.remove(ticketClass);
            parking.wakeRepresented(ticketClass);
        } else if (ticketClass.parked) {
            parking.unpark(ticketClass);
        }
    }

    /** Grants all tickets that may start, within the given number of judgements. */
    List<Grant> pass(long now, int maxJudgements) {
        long end = judgements + maxJudgements;
        dirtyQueue.markDue(now);
        reservation.refresh(now);
        while (judgements < end) {
            ModuleQueue module = matchableModules.first();
            if (module != null) {
                serve(module, now);
                continue;
            }
            WaitPoint waitPoint = dirtyQueue.next();
            if (waitPoint != null) {
                wake(waitPoint, now);
            } else if (!reservation.refresh(now)) {
                break;
            }
        }
        for (SharedLimit unneeded : registry.dropIdle(now)) {
            dirtyQueue.markDirty(unneeded);
        }
        return takeGrants();
    }

    /** True if the last pass has left work. */
    boolean hasPendingWork() {
        return !matchableModules.isEmpty() || dirtyQueue.next() != null;
    }

    /** Judges the module's best class again, and grants its head if it may still start. */
    private void serve(ModuleQueue module, long now) {
        Poll poll = module.firstPoll();
        TicketClass ticketClass = module.admissible.peek();
        if (poll == null || ticketClass == null) {
            throw new IllegalStateException("expected a poll and a class for module " + module.name);
        }
        dequeue(ticketClass);
        Ticket head = findStartable(ticketClass, now);
        if (head != null) {
            grant(head, poll, now);
        }
    }

    /**
     * Wakes the best class or lane parked at a wait point that it would admit. If there is none, the wait point is
     * done.
     */
    private void wake(WaitPoint waitPoint, long now) {
        judgements++;
        boolean woke = switch (waitPoint) {
            case SharedLimit limit -> wakeClass(limit, now);
            case RunLimiter run -> wakeLane(run, now);
        };
        if (!woke) {
            dirtyQueue.markClean(waitPoint);
            reschedule(waitPoint, now);
        }
    }

    private void reschedule(WaitPoint waitPoint, long now) {
        switch (waitPoint) {
            case SharedLimit limit -> {
                boolean dropped = limit.isDroppable(now);
                if (dropped) {
                    registry.dropLimit(limit);
                }
                dirtyQueue.schedule(limit, dropped ? Moment.NEVER : limit.nextChange(now));
            }
            case RunLimiter run -> dirtyQueue.schedule(run, run.hasParkedLanes() ? run.nextChange(now) : Moment.NEVER);
        }
    }

    private boolean wakeClass(SharedLimit limit, long now) {
        ParkedClasses parkedGroup = limit.bestAdmissible(now);
        if (parkedGroup == null) {
            return false;
        }
        TicketClass ticketClass = parkedGroup.best();
        Ticket head = ticketClass.head();
        ticketClass.lastHold = parkedGroup.parkedAt().lastHold;
        ticketClass.parkedOrFreedAt = now;
        dequeue(ticketClass);
        queueOrPark(ticketClass, true, now);
        parking.setRepresentative(parkedGroup, ticketClass);
        if (ticketClass.parked && head.isWaiting()) {
            reservation.recordOvertaken(head);
        }
        return true;
    }

    private boolean wakeLane(RunLimiter run, long now) {
        Lane lane = run.bestAdmissible(now);
        if (lane == null) {
            return false;
        }
        parking.unpark(lane);
        Ticket oldest = lane.head();
        lane.remove(oldest);
        offer(oldest, now);
        parking.setRepresentative(lane.parkedGroup(), oldest);
        return true;
    }

    /** Grants a ticket that was judged just now. */
    void grant(Ticket ticket, @Nullable Poll poll, long now) {
        Lane lane = ticket.lane();
        TicketClass ticketClass = lane.ticketClass;
        WaitRecord waitRecord = lane.waitRecord(now);
        removeFromQueue(ticket);
        lane.countTickets(-1);
        reservation.countOvertakings(ticket, now);
        var entry = new Ticket.Entry(ticket.subject(), ticket.since(), ticket.tie(), ticket.item());
        var allocation = new Allocation(lane.run.countingLimiter(), lane.spec, entry, ticketClass, now);
        allocation.waitRecord(waitRecord);
        allocation.acquireAll(now, registry.crossings);
        grants.add(new Grant(allocation, poll));
        if (poll != null) {
            poll.assign(ticket.subject());
            if (!poll.isOpen()) {
                matchableModules.removePoll(poll, now);
            }
        }
        dequeue(ticketClass);
        offerOrPark(lane, now);
        if (ticketClass.isIdle()) {
            queueOrPark(ticketClass, false, now);
        }
    }

    /** Grants a ticket with a reservation to the first poll for it, if it may start. Returns true if it did. */
    boolean tryStart(Ticket ticket, long now) {
        Poll poll = ticket.lane().ticketClass.module.firstPoll();
        boolean startable = poll != null && canStart(ticket, now);
        if (startable) {
            grant(ticket, poll, now);
        }
        return startable;
    }

    void release(Allocation allocation, long now) {
        allocation.release(now);
        registry.queueIfUnused(allocation.module());
        RunLimiter run = allocation.run();
        if (run != null && run.hasParkedLanes()) {
            dirtyQueue.markDirty(run);
        }
        for (SharedDemand demand : allocation.demands()) {
            if (demand.limit.parkedCount > 0 || demand.limit.demands().isEmpty()) {
                dirtyQueue.markDirty(demand.limit);
            }
        }
    }

    /** True if all of its limits admit a ticket now. */
    boolean canStart(Ticket ticket, long now) {
        return ticket.lane().run.judge(ticket, now).admits()
                && ticket.lane().ticketClass.judge(ticket, now).admits();
    }

    /** True if a ticket of this lane could start. All ask for the same, but one of them may have a reservation. */
    boolean canStart(Lane lane, long now) {
        Ticket requester = reservation.reserverIn(lane);
        boolean ownsReservation = requester != null && reservation.isReserver(requester);
        return lane.run.judge(lane.spec.runDemand(), ownsReservation, now).admits()
                && lane.ticketClass.judge(requester, now).admits();
    }

    long judgements() {
        return judgements;
    }

    /** The number of grants since the last {@link #takeGrants}. */
    int grantCount() {
        return grants.size();
    }

    /** Returns and clears the collected grants. */
    List<Grant> takeGrants() {
        List<Grant> granted = grants;
        grants = new ArrayList<>();
        return granted;
    }
}
