package dev.weir.core.admission;

/**
 * Puts what cannot go where it is looked at again: classes into bays at a demand, lanes onto shelves at their run. Where
 * one of them could go if only somebody polled, it stands for the others of its bay or shelf until it is gone.
 */
final class Parking {
    private final Registry registry;
    private final Agenda agenda;

    Parking(Registry registry, Agenda agenda) {
        this.registry = registry;
        this.agenda = agenda;
    }

    /** Parks a class that this demand refuses; all of its bay are refused alike, and go there too. */
    void park(TicketClass group, Demand refused, long now) {
        Bay bay = registry.bayOf(group, refused);
        if (bay.at != null && (bay.at != refused || bay.scout != null)) {
            lift(bay, bay.at);
        }
        group.parked = true;
        group.heldSince = now;
        bay.classes.add(group);
        if (bay.at == null) {
            bay.at = refused;
            bay.heldSince = now;
            refused.limit.parked += bay.classes.size();
            refused.parked.add(bay);
        } else {
            refused.limit.parked++;
            refused.parked.update(bay);
        }
        passBy(group, refused);
        agenda.scheduleBy(refused.limit, refused.limit.nextChange(now));
        endWatches(group);
    }

    /** Takes a bay, with all that is in it, from where it is parked. */
    private static void lift(Bay bay, Demand at) {
        dismiss(bay);
        at.parked.remove(bay);
        at.limit.parked -= bay.classes.size();
        bay.at = null;
    }

    private static void passBy(TicketClass group, Demand refused) {
        for (int i = 0; group.demands.size() > 1 && i < group.demands.size(); i++) {
            if (group.demands.get(i) != refused) {
                group.demands.get(i).limit.passBy(group.head());
            }
        }
    }

    void unpark(TicketClass group) {
        Bay bay = group.bay();
        Demand at = bay.at();
        group.parked = false;
        bay.classes.remove(group);
        at.limit.parked--;
        if (bay.classes.isEmpty()) {
            lift(bay, at);
        } else {
            at.parked.update(bay);
        }
    }

    /** Puts a parked class where its new head belongs. */
    void rerank(TicketClass group) {
        Bay bay = group.bay();
        bay.classes.update(group);
        if (bay.scout != null && bay.best().before(bay.scout)) {
            wake(bay);
        } else {
            bay.at().parked.update(bay);
        }
    }

    /** Lets a class that may go stand for the rest of the bay that it was in, while nobody polls for its module. */
    void scout(Bay bay, TicketClass group) {
        if (bay.at != null && group.admissible && group.module.firstPoll() == null) {
            bay.scout = group;
            group.scoutOf = bay;
            bay.at.parked.update(bay);
        }
    }

    /** Notes that a class is no longer among those that may go, or has a later head. */
    void returned(TicketClass group) {
        if (group.scoutOf != null) {
            wake(group.scoutOf);
        }
    }

    private void wake(Bay bay) {
        dismiss(bay);
        bay.at().parked.update(bay);
        agenda.changed(bay.at().limit);
    }

    private static void dismiss(Bay bay) {
        if (bay.scout != null) {
            bay.scout.scoutOf = null;
            bay.scout = null;
        }
    }

    /** Parks a lane that its run has no room for. */
    void park(Lane lane, long now) {
        Shelf shelf = lane.run.park(lane, now);
        wakeIfBetter(shelf, lane);
        agenda.scheduleBy(lane.run, lane.run.nextChange(now));
    }

    /** Puts a parked lane where its new oldest ticket belongs. */
    void rerank(Lane lane) {
        wakeIfBetter(lane.run.rerank(lane), lane);
    }

    private void wakeIfBetter(Shelf shelf, Lane lane) {
        if (shelf.scout != null && lane.head().before(shelf.scout)) {
            wake(shelf);
        }
    }

    /** Lets an offer that may go stand for the rest of the shelf that its lane was on, while nobody polls for it. */
    void scout(Shelf shelf, Ticket offer) {
        TicketClass group = offer.lane().group;
        if (!shelf.lanes.isEmpty() && group.admissible && group.module.firstPoll() == null) {
            shelf.scout = offer;
            group.watch(shelf);
        }
    }

    /** Notes that a lane has no offer any more. */
    void returned(Lane lane, Ticket offer) {
        Shelf shelf = lane.shelf;
        if (shelf != null && shelf.scout == offer) {
            wake(shelf);
        }
    }

    private void endWatches(TicketClass group) {
        for (Shelf shelf : group.endWatches()) {
            wake(shelf);
        }
    }

    private void wake(Shelf shelf) {
        Ticket scout = shelf.scout;
        shelf.scout = null;
        if (scout != null) {
            scout.lane().group.unwatch(shelf);
        }
        if (!shelf.lanes.isEmpty()) {
            agenda.changed(shelf.run);
        }
    }
}
