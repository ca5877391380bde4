package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A need of a shared limit that several classes have in common, and the classes that are parked because of it. */
final class SharedDemand {
    /** Parked groups whose tickets are counted again when the cause of the hold changes. */
    private static final int RECOUNTED_GROUPS_MAX = 16;

    final SharedLimit limit;
    final LimitNeed need;
    /** Values of the need, copied here because every judgement reads them. */
    final int parallelism;

    final int weight;
    final @Nullable RateUsage usage;
    final IndexedHeap<ParkedClasses> parkedGroups = new IndexedHeap<>();
    /** The classes that have this demand. Without any, and without allocations, the demand is dropped. */
    private final List<TicketClass> classes = new ArrayList<>(1);
    /**
     * Number of tickets that have this demand and whose runs have room for them. The limit refuses all of them or none.
     */
    int eligibleCount;

    int allocationCount;

    /** The last hold by its limit. */
    @Nullable
    Hold lastHold;

    /** The verdict on every ticket that its limit refuses. */
    private final Verdict refusal = new Verdict.HeldByLimit(this);

    SharedDemand(SharedLimit limit, LimitNeed need, @Nullable RateUsage usage) {
        this.limit = limit;
        this.need = need;
        this.parallelism = need.parallelism();
        this.weight = need.weight();
        this.usage = usage;
    }

    /** Adds a class; returns its index. */
    int addClass(TicketClass ticketClass) {
        classes.add(ticketClass);
        return classes.size() - 1;
    }

    /** Removes the class at that index; returns the one that moved there, if any. */
    @Nullable
    TicketClass removeClass(int index) {
        TicketClass last = classes.removeLast();
        if (index == classes.size()) {
            return null;
        }
        classes.set(index, last);
        return last;
    }

    List<TicketClass> classes() {
        return classes;
    }

    /** Judges the given ticket, or any ticket if none is given, by its limit. Remembers the reason of a refusal. */
    Verdict judge(@Nullable Ticket requester, long now) {
        if (!(limit.judge(this, requester, now) instanceof HoldCause cause)) {
            return Verdict.Admit.INSTANCE;
        }
        if (lastHold == null || lastHold.cause() != cause) {
            lastHold = new Hold(limit.id, cause);
            recountParked();
        }
        return refusal;
    }

    /** The time at which a ticket that is refused could start by itself; NEVER if somebody must free capacity. */
    long nextRoomAt(long now) {
        if (limit.isPaused(now)) {
            return limit.pausedUntil();
        }
        return limit.judgeCapacity(this, false).admits() ? limit.nextRateChange(this, now) : Moment.NEVER;
    }

    /** True if any ticket of this demand would fit if the capacity or a window had more room. */
    boolean isShortOfRoom(long now) {
        LimitVerdict capacity = limit.judgeCapacity(this, false);
        LimitVerdict verdict = capacity.admits() ? limit.judgeRate(this, null, now) : capacity;
        return !verdict.admits() && verdict != HoldCause.OVER_CAPACITY;
    }

    /** The kind of its limit's last hold. */
    HoldKind holdKind() {
        return lastHold == null ? HoldKind.of(limit.id, HoldCause.CAPACITY) : HoldKind.of(lastHold);
    }

    /** Counts the tickets that are parked here under the new cause. If there are many groups, only the first ones. */
    private void recountParked() {
        HoldKind kind = holdKind();
        for (int i = Math.min(RECOUNTED_GROUPS_MAX, parkedGroups.size()) - 1; i >= 0; i--) {
            parkedGroups.at(i).setHoldKind(kind);
        }
    }
}
