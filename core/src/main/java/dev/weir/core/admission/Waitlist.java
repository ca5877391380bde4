package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import java.util.ArrayList;
import java.util.List;

/** Who is parked at a shared limit. It looks at a bounded number of tickets, however many wait. */
final class Waitlist {
    /** Tickets that are gathered before the oldest of them are taken. */
    private static final int GATHERED_MAX = 10_000;

    private final List<Ticket> gathered = new ArrayList<>();

    private Waitlist() {}

    static List<Ticket> of(SharedLimit limit, int most) {
        var list = new Waitlist();
        for (Demand demand : limit.demands()) {
            for (int i = 0; i < demand.parked.size() && list.hasRoom(); i++) {
                list.add(demand.parked.at(i));
            }
        }
        list.gathered.sort(Ticket.BY_AGE);
        return List.copyOf(list.gathered.subList(0, Math.min(most, list.gathered.size())));
    }

    private boolean hasRoom() {
        return gathered.size() < GATHERED_MAX;
    }

    private void add(Bay bay) {
        for (int i = 0; i < bay.classes.size() && hasRoom(); i++) {
            TicketClass group = bay.classes.at(i);
            Heap<Ticket> late = group.offers.late();
            for (int n = 0; late != null && n < late.size() && hasRoom(); n++) {
                add(late.at(n));
            }
            for (Ticket at = group.offers.firstInOrder(); at != null && hasRoom(); at = at.next) {
                add(at);
            }
        }
    }

    /** Adds what a run offers, and what stands behind it in the same lane. */
    private void add(Ticket offered) {
        gathered.add(offered);
        AgeQueue behind = offered.lane().waiting();
        Ticket at = behind == null ? null : behind.firstInOrder();
        for (; at != null && hasRoom(); at = at.next) {
            gathered.add(at);
        }
    }
}
