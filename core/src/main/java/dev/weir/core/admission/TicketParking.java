package dev.weir.core.admission;

/**
 * Parks tickets that cannot start: classes in groups at a demand ({@link ParkedClasses}), lanes in groups at their run
 * ({@link ParkedLanes}). If one member could start but no worker polls for it, it becomes the scout of its group. The
 * other members are not judged until the scout is gone.
 */
final class TicketParking {
    private final AdmissionRegistry registry;
    private final DirtyQueue agenda;

    TicketParking(AdmissionRegistry registry, DirtyQueue agenda) {
        this.registry = registry;
        this.agenda = agenda;
    }

    /** Parks a class that this demand refuses. The same demand refuses all classes of its group, so they move too. */
    void park(TicketClass group, SharedDemand refused, long now) {
        ParkedClasses bay = registry.bayOf(group, refused);
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

    /** Removes a group, with all of its classes, from the demand where it is parked. */
    private static void lift(ParkedClasses bay, SharedDemand at) {
        dismiss(bay);
        at.parked.remove(bay);
        at.limit.parked -= bay.classes.size();
        bay.at = null;
    }

    private static void passBy(TicketClass group, SharedDemand refused) {
        for (int i = 0; group.demands.size() > 1 && i < group.demands.size(); i++) {
            if (group.demands.get(i) != refused) {
                group.demands.get(i).limit.passBy(group.head());
            }
        }
    }

    void unpark(TicketClass group) {
        ParkedClasses bay = group.bay();
        SharedDemand at = bay.at();
        group.parked = false;
        bay.classes.remove(group);
        at.limit.parked--;
        if (bay.classes.isEmpty()) {
            lift(bay, at);
        } else {
            at.parked.update(bay);
        }
    }

    /** Moves a parked class to where its new head belongs. */
    void rerank(TicketClass group) {
        ParkedClasses bay = group.bay();
        bay.classes.update(group);
        if (bay.scout != null && bay.best().before(bay.scout)) {
            wake(bay);
        } else {
            bay.at().parked.update(bay);
        }
    }

    /** Makes an admissible class the scout of the group that it was in, while nobody polls for its module. */
    void scout(ParkedClasses bay, TicketClass group) {
        if (bay.at != null && group.admissible && group.module.firstPoll() == null) {
            bay.scout = group;
            group.scoutOf = bay;
            bay.at.parked.update(bay);
        }
    }

    /** Records that a class is no longer admissible, or has a later head. */
    void returned(TicketClass group) {
        if (group.scoutOf != null) {
            wake(group.scoutOf);
        }
    }

    private void wake(ParkedClasses bay) {
        dismiss(bay);
        bay.at().parked.update(bay);
        agenda.changed(bay.at().limit);
    }

    private static void dismiss(ParkedClasses bay) {
        if (bay.scout != null) {
            bay.scout.scoutOf = null;
            bay.scout = null;
        }
    }

    /** Parks a lane that its run has no room for. Until it is unparked, its tickets ask nothing of shared limits. */
    void park(Lane lane, long now) {
        lane.group.countOffering(-lane.size());
        ParkedLanes shelf = lane.run.park(lane, now);
        wakeIfBetter(shelf, lane);
        agenda.scheduleBy(lane.run, lane.run.nextChange(now));
    }

    /** Removes a lane from its group at the run. */
    void unpark(Lane lane) {
        lane.run.unpark(lane);
        lane.group.countOffering(lane.size());
    }

    /** Moves a parked lane to where its new oldest ticket belongs. */
    void rerank(Lane lane) {
        wakeIfBetter(lane.run.rerank(lane), lane);
    }

    private void wakeIfBetter(ParkedLanes shelf, Lane lane) {
        if (shelf.scout != null && lane.head().before(shelf.scout)) {
            wake(shelf);
        }
    }

    /** Makes an admissible offer the scout of the group that its lane was in, while nobody polls for it. */
    void scout(ParkedLanes shelf, Ticket offer) {
        TicketClass group = offer.lane().group;
        if (!shelf.lanes.isEmpty() && group.admissible && group.module.firstPoll() == null) {
            shelf.scout = offer;
            group.watch(shelf);
        }
    }

    /** Records that a lane no longer has an offer. */
    void returned(Lane lane, Ticket offer) {
        ParkedLanes shelf = lane.shelf;
        if (shelf != null && shelf.scout == offer) {
            wake(shelf);
        }
    }

    private void endWatches(TicketClass group) {
        for (ParkedLanes shelf : group.endWatches()) {
            wake(shelf);
        }
    }

    private void wake(ParkedLanes shelf) {
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
