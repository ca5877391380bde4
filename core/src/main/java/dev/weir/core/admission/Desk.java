package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves tickets between their lane, their class and a grant. A class that cannot go is parked at the first demand that
 * refuses it, a lane that cannot go at its run; either is looked at again only when that place has changed.
 */
final class Desk {
    final Registry registry = new Registry();
    final Reservation reservation;
    final Agenda agenda = new Agenda();
    final Parking parking = new Parking(registry, agenda);
    final HotModules hot = new HotModules(registry);
    private List<Grant> grants = new ArrayList<>();
    /** Looks at a class or a place since the beginning. */
    private long judgements;

    Desk(int overtakingsMax) {
        this.reservation = new Reservation(this, overtakingsMax);
    }

    /** Takes a new ticket into its lane. */
    Ticket enqueue(RunGate run, TicketSpec spec, Ticket.Entry entry, long now) {
        Lane lane = run.findLane(spec);
        if (lane == null) {
            TicketClass group = registry.classOf(spec);
            lane = new Lane(run, group.shared(spec), group);
            lane.group.lanes++;
            run.addLane(lane);
        }
        var ticket = new Ticket(lane, entry);
        count(lane.group, 1);
        if (lane.idle() && run.admits(ticket, now) && !run.contended(now)) {
            offer(ticket, now);
        } else {
            lane.add(ticket);
            arrange(lane, now);
        }
        return ticket;
    }

    private static void count(TicketClass group, int change) {
        group.waiting += change;
        for (int i = 0; i < group.demands.size(); i++) {
            group.demands.get(i).limit.waiting += change;
        }
    }

    /** Ends a ticket's wait without a grant. */
    void withdraw(Ticket ticket, long now) {
        pluck(ticket);
        count(ticket.lane().group, -1);
        arrange(ticket.lane(), now);
    }

    /** Takes a ticket out of whatever queue it is in. */
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
            lane.run.unpark(lane);
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

    /** Brings a lane to where it belongs: offering its oldest ticket, parked at its run, or gone. */
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
        if (lane.run.admits(oldest, now) && !lane.run.contended(now)) {
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
     * Judges an idle class and puts it where the verdict says. Where room has come free for which others wait, it waits
     * with them, unless it is its turn.
     */
    private void settle(TicketClass group, boolean itsTurn, long now) {
        if (judge(group, now) == null) {
            return;
        }
        Demand contended = itsTurn ? null : group.firstContended(now);
        if (contended == null) {
            hot.add(group);
        } else {
            parking.park(group, contended, now);
        }
    }

    /** The head of an idle class if it may start; if not, the class is parked, or idle for want of offers. */
    private @Nullable Ticket judge(TicketClass group, long now) {
        for (Ticket head = group.offers.peek(); head != null; head = group.offers.peek()) {
            judgements++;
            Demand refused = group.firstRefused(reservation.keptFor(head), now);
            if (refused != null) {
                parking.park(group, refused, now);
                return null;
            }
            if (head.lane().run.admits(head, now)) {
                return head;
            }
            sendBack(head, now);
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

    /** Grants all that may start, within the given number of judgements. */
    List<Grant> pass(long now, int most) {
        long end = judgements + most;
        agenda.due(now);
        reservation.refresh(now);
        while (judgements < end) {
            Module module = hot.first();
            if (module != null) {
                serve(module, now);
                continue;
            }
            Place place = agenda.next();
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

    /** Whether the last pass has left something to look at. */
    boolean pending() {
        return !hot.isEmpty() || agenda.next() != null;
    }

    /** Looks again at the module's best class, and grants its head if that still may start. */
    private void serve(Module module, long now) {
        Poll poll = module.firstPoll();
        TicketClass group = module.admissible.peek();
        if (poll == null || group == null) {
            throw new IllegalStateException("expected a poll and a class for module " + module.name);
        }
        detach(group);
        Ticket head = judge(group, now);
        if (head != null) {
            grant(head, poll, now);
        }
    }

    /** Wakes the best of what is parked at a place and would pass there; when there is none the place is done. */
    private void wake(Place place, long now) {
        judgements++;
        boolean woke = switch (place) {
            case SharedLimit limit -> wakeClass(limit, now);
            case RunGate run -> wakeLane(run, now);
        };
        if (!woke) {
            agenda.seenTo(place);
            rest(place, now);
        }
    }

    private void rest(Place place, long now) {
        switch (place) {
            case SharedLimit limit -> {
                boolean forgotten = limit.forgettable(now);
                if (forgotten) {
                    registry.forget(limit);
                }
                agenda.schedule(limit, forgotten ? Moment.NEVER : limit.nextChange(now));
            }
            case RunGate run -> agenda.schedule(run, run.hasParked() ? run.nextChange(now) : Moment.NEVER);
        }
    }

    private boolean wakeClass(SharedLimit limit, long now) {
        Bay bay = limit.bestOpen(now);
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

    private boolean wakeLane(RunGate run, long now) {
        Lane lane = run.bestOpen(now);
        if (lane == null) {
            return false;
        }
        run.unpark(lane);
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
        Held kept = lane.held(now);
        pluck(ticket);
        count(group, -1);
        reservation.wentBefore(ticket);
        var entry = new Ticket.Entry(ticket.subject(), ticket.since(), ticket.tie(), ticket.item());
        var holding = new Holding(lane.run.held(), lane.spec, entry, group.demands, now);
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

    void release(Holding holding, long now) {
        holding.giveBack(now);
        RunGate run = holding.run();
        if (run != null && run.hasParked()) {
            agenda.changed(run);
        }
        for (Demand demand : holding.demands()) {
            if (demand.limit.parked > 0 || demand.limit.demands().isEmpty()) {
                agenda.changed(demand.limit);
            }
        }
    }

    /** Whether a ticket passes all of its limits now. */
    boolean mayStart(Ticket ticket, long now) {
        return ticket.lane().run.admits(ticket, now)
                && ticket.lane().group.firstRefused(reservation.keptFor(ticket), now) == null;
    }

    /** Whether a ticket of this lane could pass; they all ask for the same, but room may be kept for one of them. */
    boolean mayStart(Lane lane, long now) {
        Ticket kept = reservation.holder();
        boolean self = kept != null && kept.lane() == lane;
        return lane.run.admits(lane.spec.local(), self, now) && lane.group.firstRefused(self, now) == null;
    }

    long judgements() {
        return judgements;
    }

    /** How many were granted since they were last taken. */
    int granted() {
        return grants.size();
    }

    /** What was granted since the last time. */
    List<Grant> takeGrants() {
        List<Grant> granted = grants;
        grants = new ArrayList<>();
        return granted;
    }
}
