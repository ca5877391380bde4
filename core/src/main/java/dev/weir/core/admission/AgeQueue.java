package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import org.jspecify.annotations.Nullable;

/**
 * Tickets, oldest first. Nearly all tickets arrive in order. They form a linked list through the tickets themselves, so
 * each costs the same however many there are. The few that arrive late, such as retries that keep their age, go to a
 * heap.
 */
final class AgeQueue {
    private @Nullable Ticket first;
    private @Nullable Ticket last;
    private @Nullable IndexedHeap<Ticket> late;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(Ticket ticket) {
        size++;
        Ticket tail = last;
        if (tail == null) {
            first = ticket;
            last = ticket;
        } else if (ticket.isBefore(tail)) {
            if (late == null) {
                late = new IndexedHeap<>();
            }
            late.add(ticket);
        } else {
            tail.next = ticket;
            ticket.previous = tail;
            last = ticket;
        }
    }

    @Nullable
    Ticket peek() {
        Ticket oldestLate = late == null ? null : late.peek();
        if (oldestLate == null) {
            return first;
        }
        return first == null || oldestLate.isBefore(first) ? oldestLate : first;
    }

    void remove(Ticket ticket) {
        size--;
        if (ticket.inHeap() && late != null) {
            late.remove(ticket);
            if (late.isEmpty()) {
                late = null;
            }
            return;
        }
        unlink(ticket);
    }

    private void unlink(Ticket ticket) {
        Ticket before = ticket.previous;
        Ticket after = ticket.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        ticket.previous = null;
        ticket.next = null;
    }

    /** The first ticket of the ordered part. {@link Ticket#next} leads to the others. */
    @Nullable
    Ticket firstInOrder() {
        return first;
    }

    @Nullable
    IndexedHeap<Ticket> late() {
        return late;
    }
}
