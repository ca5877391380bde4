package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A step, item or run that asks to start. */
public final class Ticket extends IndexedHeap.Node {
    /** The age that one level of priority is worth, in microseconds: a waiter rises one level every 5 minutes. */
    public static final long PRIORITY_LEVEL_MICROS = 5L * 60 * 1_000_000;

    static final Comparator<Ticket> BY_AGE = (one, other) -> one.isBefore(other) ? -1 : other.isBefore(one) ? 1 : 0;

    private final Subject subject;
    private final long score;
    private final long tie;
    private final int item;
    private final Lane lane;
    private byte overtakenCount;
    private boolean offered;
    private boolean waiting = true;
    /** True while the ticket has a reservation in the windows of its rates. */
    boolean reservesWindows;

    /**
     * Neighbours in the ticket's current queue: the queue of its lane while it waits, of its class while it is offered.
     */
    @Nullable
    Ticket previous;

    @Nullable
    Ticket next;

    Ticket(Lane lane, Entry entry) {
        this.lane = lane;
        this.subject = entry.subject();
        this.score = entry.since() - lane.spec.priority() * PRIORITY_LEVEL_MICROS;
        this.tie = entry.tie();
        this.item = entry.item();
    }

    /**
     * The subject that asks, and its order among tickets of equal age.
     *
     * @param since the time from which its age counts; a retry keeps the time of the first attempt
     * @param tie the order among tickets of equal age, which must survive a restart: the number of the run, then of
     *     the step
     * @param item the index of the item, 0 if the subject is not an item
     */
    public record Entry(Subject subject, long since, long tie, int item) {}

    public Subject subject() {
        return subject;
    }

    public long since() {
        return score + lane.spec.priority() * PRIORITY_LEVEL_MICROS;
    }

    long tie() {
        return tie;
    }

    int item() {
        return item;
    }

    public TicketSpec spec() {
        return lane.spec;
    }

    public boolean isWaiting() {
        return waiting;
    }

    Lane lane() {
        return lane;
    }

    /** True if its lane has put it into the queue of its class. */
    boolean offered() {
        return offered;
    }

    void offered(boolean value) {
        offered = value;
    }

    void endWait() {
        waiting = false;
    }

    /** The number of times that a later ticket took what this one waits for. */
    int overtakenCount() {
        return overtakenCount;
    }

    void countOvertaking() {
        if (overtakenCount < Byte.MAX_VALUE) {
            overtakenCount++;
        }
    }

    boolean isBefore(Ticket other) {
        return score != other.score ? score < other.score : compareTie(other) < 0;
    }

    int compareTie(Ticket other) {
        return tie != other.tie ? Long.compare(tie, other.tie) : Integer.compare(item, other.item);
    }

    @Override
    protected long rank() {
        return score;
    }

    @Override
    protected int compareWithinRank(IndexedHeap.Node other) {
        return compareTie((Ticket) other);
    }

    @Override
    public String toString() {
        return "ticket " + subject + (waiting ? " waits" : " does not wait");
    }
}
