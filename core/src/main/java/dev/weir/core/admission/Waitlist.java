package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tickets that ask for a shared limit and that it refuses now, wherever their class is parked. It looks at a
 * bounded number of classes and tickets, however many wait.
 */
final class Waitlist {
    /** Maximum tickets collected before the oldest of them are selected. */
    private static final int TICKETS_MAX = 10_000;
    /** Maximum classes looked at. Some of them may have no tickets. */
    private static final int CLASSES_MAX = 100_000;
    /** Maximum classes looked at for the next ticket. */
    private static final int HEADS_MAX = 16;

    private final List<Ticket> tickets = new ArrayList<>();
    private int classesLeft = CLASSES_MAX;

    private Waitlist() {}

    /** Lists the oldest of them. {@code reservers} are the tickets that have a reservation. */
    static List<Ticket> of(SharedLimit limit, List<Ticket> reservers, int max, long now) {
        var list = new Waitlist();
        for (SharedDemand demand : limit.demands()) {
            if (demand.eligibleCount > 0 && !limit.judge(demand, null, now).admits()) {
                list.add(demand);
                for (Ticket reserver : reservers) {
                    if (isAdmitted(reserver, demand, now)) {
                        list.tickets.remove(reserver);
                    }
                }
            }
        }
        list.tickets.sort(Ticket.BY_AGE);
        return List.copyOf(list.tickets.subList(0, Math.min(max, list.tickets.size())));
    }

    /** Returns the length of the waitlist. */
    static int size(SharedLimit limit, List<Ticket> reservers, long now) {
        int refused = 0;
        for (SharedDemand demand : limit.demands()) {
            if (demand.eligibleCount > 0 && !limit.judge(demand, null, now).admits()) {
                refused += demand.eligibleCount;
                for (Ticket reserver : reservers) {
                    refused -= isAdmitted(reserver, demand, now) ? 1 : 0;
                }
            }
        }
        return refused;
    }

    /**
     * Returns the time since which the next ticket of the waitlist waits, or never if there is none. Tickets that are
     * parked at another limit are looked for in few classes only.
     */
    static long oldestSince(SharedLimit limit, long now) {
        Ticket oldest = null;
        for (SharedDemand demand : limit.demands()) {
            if (demand.eligibleCount > 0 && !limit.judge(demand, null, now).admits()) {
                Ticket head = head(demand);
                oldest = head != null && (oldest == null || head.isBefore(oldest)) ? head : oldest;
            }
        }
        return oldest == null ? Moment.NEVER : oldest.since();
    }

    private static @Nullable Ticket head(SharedDemand demand) {
        ParkedClasses parkedHere = demand.parkedGroups.peek();
        Ticket head = parkedHere == null ? null : parkedHere.best().head();
        List<TicketClass> classes = demand.classes();
        for (int i = 0; i < Math.min(HEADS_MAX, classes.size()); i++) {
            Ticket other = classes.get(i).offers.peek();
            head = other != null && (head == null || other.isBefore(head)) ? other : head;
        }
        return head;
    }

    /** True if this is a ticket of the demand that the limit admits while it refuses the others of the demand. */
    private static boolean isAdmitted(Ticket reserver, SharedDemand demand, long now) {
        return !reserver.lane().isParked()
                && reserver.lane().ticketClass.demands.contains(demand)
                && demand.limit.judge(demand, reserver, now).admits();
    }

    private boolean hasRoom() {
        return tickets.size() < TICKETS_MAX;
    }

    private void add(SharedDemand demand) {
        List<TicketClass> classes = demand.classes();
        for (int i = 0; i < classes.size() && classesLeft > 0 && hasRoom(); i++) {
            classesLeft--;
            add(classes.get(i).offers);
        }
    }

    private void add(AgeQueue offers) {
        IndexedHeap<Ticket> late = offers.late();
        for (int n = 0; late != null && n < late.size() && hasRoom(); n++) {
            add(late.at(n));
        }
        for (Ticket at = offers.firstInOrder(); at != null && hasRoom(); at = at.next) {
            add(at);
        }
    }

    /** Adds an offered ticket, and those behind it in the same lane. */
    private void add(Ticket offered) {
        tickets.add(offered);
        AgeQueue behind = offered.lane().waiting();
        IndexedHeap<Ticket> late = behind == null ? null : behind.late();
        for (int n = 0; late != null && n < late.size() && hasRoom(); n++) {
            tickets.add(late.at(n));
        }
        Ticket at = behind == null ? null : behind.firstInOrder();
        for (; at != null && hasRoom(); at = at.next) {
            tickets.add(at);
        }
    }
}
