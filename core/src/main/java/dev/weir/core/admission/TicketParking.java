package dev.weir.core.admission;

/**
 * Parks tickets that cannot start: classes in groups at a demand ({@link ParkedClasses}), lanes in groups at their run
 * ({@link ParkedLanes}). If one member could start but no worker polls for it, it becomes the representative of its group. The
 * other members are not judged until the representative is gone.
 */
final class TicketParking {
    private final AdmissionRegistry registry;
    private final DirtyQueue dirtyQueue;

    TicketParking(AdmissionRegistry registry, DirtyQueue dirtyQueue) {
        this.registry = registry;
        this.dirtyQueue = dirtyQueue;
    }

    /** Parks a class that this demand refuses. The same demand refuses all classes of its group, so they move too. */
    void park(TicketClass ticketClass, SharedDemand refusingDemand, long now) {
        ParkedClasses parkedGroup = registry.parkedGroupFor(ticketClass, refusingDemand);
        if (parkedGroup.parkedAt != null
                && (parkedGroup.parkedAt != refusingDemand || parkedGroup.representative != null)) {
            unparkGroup(parkedGroup, parkedGroup.parkedAt);
        }
        if (refusingDemand.holdKind() == HoldKind.OVER_CAPACITY) {
            registry.crossings.recordTooWide(refusingDemand.limit);
        }
        ticketClass.parked = true;
        ticketClass.parkedOrFreedAt = now;
        parkedGroup.classes.add(ticketClass);
        parkedGroup.addTickets(ticketClass.eligibleCount);
        parkedGroup.setHoldKind(refusingDemand.holdKind());
        if (parkedGroup.parkedAt == null) {
            parkedGroup.parkedAt = refusingDemand;
            parkedGroup.heldSince = now;
            refusingDemand.limit.parkedCount += parkedGroup.classes.size();
            refusingDemand.parkedGroups.add(parkedGroup);
        } else {
            refusingDemand.limit.parkedCount++;
            refusingDemand.parkedGroups.update(parkedGroup);
        }
        noteParkedElsewhere(ticketClass, refusingDemand);
        dirtyQueue.scheduleBy(refusingDemand.limit, refusingDemand.limit.nextChange(now));
        wakeWatchers(ticketClass);
    }

    /** Removes a group, with all of its classes, from the demand where it is parked. */
    private static void unparkGroup(ParkedClasses parkedGroup, SharedDemand at) {
        clearRepresentative(parkedGroup);
        at.parkedGroups.remove(parkedGroup);
        at.limit.parkedCount -= parkedGroup.classes.size();
        parkedGroup.parkedAt = null;
    }

    private static void noteParkedElsewhere(TicketClass ticketClass, SharedDemand refusingDemand) {
        for (int i = 0; ticketClass.demands.size() > 1 && i < ticketClass.demands.size(); i++) {
            if (ticketClass.demands.get(i) != refusingDemand) {
                ticketClass.demands.get(i).limit.noteParkedElsewhere(ticketClass.head());
            }
        }
    }

    void unpark(TicketClass ticketClass) {
        ParkedClasses parkedGroup = ticketClass.parkedGroup();
        SharedDemand at = parkedGroup.parkedAt();
        ticketClass.parked = false;
        parkedGroup.classes.remove(ticketClass);
        parkedGroup.addTickets(-ticketClass.eligibleCount);
        at.limit.parkedCount--;
        if (parkedGroup.classes.isEmpty()) {
            unparkGroup(parkedGroup, at);
        } else {
            at.parkedGroups.update(parkedGroup);
        }
    }

    /** Moves a parked class to where its new head belongs. */
    void rerank(TicketClass ticketClass) {
        ParkedClasses parkedGroup = ticketClass.parkedGroup();
        parkedGroup.classes.update(ticketClass);
        if (parkedGroup.representative != null && parkedGroup.best().isBefore(parkedGroup.representative)) {
            wake(parkedGroup);
        } else {
            parkedGroup.parkedAt().parkedGroups.update(parkedGroup);
        }
    }

    /** Makes an admissible class the representative of the group that it was in, while nobody polls for its module. */
    void setRepresentative(ParkedClasses parkedGroup, TicketClass ticketClass) {
        if (parkedGroup.parkedAt != null && ticketClass.admissible && ticketClass.module.firstPoll() == null) {
            parkedGroup.representative = ticketClass;
            ticketClass.represents = parkedGroup;
            parkedGroup.parkedAt.parkedGroups.update(parkedGroup);
        }
    }

    /** Records that a class is no longer admissible, or has a later head. */
    void wakeRepresented(TicketClass ticketClass) {
        if (ticketClass.represents != null) {
            wake(ticketClass.represents);
        }
    }

    private void wake(ParkedClasses parkedGroup) {
        clearRepresentative(parkedGroup);
        parkedGroup.parkedAt().parkedGroups.update(parkedGroup);
        dirtyQueue.markDirty(parkedGroup.parkedAt().limit);
    }

    private static void clearRepresentative(ParkedClasses parkedGroup) {
        if (parkedGroup.representative != null) {
            parkedGroup.representative.represents = null;
            parkedGroup.representative = null;
        }
    }

    /** Parks a lane that its run has no room for. Until it is unparked, its tickets ask nothing of shared limits. */
    void park(Lane lane, long now) {
        lane.ticketClass.addEligible(-lane.size());
        ParkedLanes parkedGroup = lane.run.park(lane, now);
        parkedGroup.addTickets(lane.size());
        wakeIfBetter(parkedGroup, lane);
        dirtyQueue.scheduleBy(lane.run, lane.run.nextChange(now));
    }

    /** Removes a lane from its group at the run. */
    void unpark(Lane lane) {
        lane.run.unpark(lane);
        lane.parkedGroup().addTickets(-lane.size());
        lane.ticketClass.addEligible(lane.size());
    }

    /** Moves a parked lane to where its new oldest ticket belongs. */
    void rerank(Lane lane) {
        wakeIfBetter(lane.run.rerank(lane), lane);
    }

    private void wakeIfBetter(ParkedLanes parkedGroup, Lane lane) {
        if (parkedGroup.representative != null && lane.head().isBefore(parkedGroup.representative)) {
            wake(parkedGroup);
        }
    }

    /** Makes an admissible offer the representative of the group that its lane was in, while nobody polls for it. */
    void setRepresentative(ParkedLanes parkedGroup, Ticket offer) {
        TicketClass ticketClass = offer.lane().ticketClass;
        if (!parkedGroup.lanes.isEmpty() && ticketClass.admissible && ticketClass.module.firstPoll() == null) {
            parkedGroup.representative = offer;
            ticketClass.addWatcher(parkedGroup);
        }
    }

    /** Records that a lane no longer has an offer. */
    void wakeRepresented(Lane lane, Ticket offer) {
        ParkedLanes parkedGroup = lane.parkedGroup;
        if (parkedGroup != null && parkedGroup.representative == offer) {
            wake(parkedGroup);
        }
    }

    private void wakeWatchers(TicketClass ticketClass) {
        for (ParkedLanes parkedGroup : ticketClass.takeWatchers()) {
            wake(parkedGroup);
        }
    }

    private void wake(ParkedLanes parkedGroup) {
        Ticket representative = parkedGroup.representative;
        parkedGroup.representative = null;
        if (representative != null) {
            representative.lane().ticketClass.removeWatcher(parkedGroup);
        }
        if (!parkedGroup.lanes.isEmpty()) {
            dirtyQueue.markDirty(parkedGroup.run);
        }
    }
}
