package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The live claims of one run, and the totals that they use of the run's limits. The totals are recomputed from the
 * claims when a pass first looks at the run; grants and releases in that pass are added to them. So a wrong total is
 * corrected in the next pass.
 */
final class RunAllocations extends Allocations {
    /**
     * Time for which the totals stay valid, in microseconds per claim. Recomputing takes a few hundredths of that. A
     * run with 100,000 claims in flight recomputes them ten times a second, a run with ten claims in every pass.
     */
    private static final long TOTALS_VALID_MICROS_PER_CLAIM = 1;

    int inFlight;
    int slots;
    boolean exclusive;
    /** Number and slots of the claims in flight whose end cannot be predicted. */
    int openEndedSteps;

    int openEndedSlots;
    /** The time from which the totals must be recomputed. */
    private long recomputeAt;
    /** Number of recomputations. A fan-out compares it to know if the last one counted its items. */
    private int recomputation;

    /**
     * Creates the allocations of a run that had none. In this first pass claims are created after their grants, so the
     * totals must not be recomputed from claims yet.
     */
    RunAllocations(long now) {
        this.recomputeAt = Moment.plus(now, 1);
    }

    /** Returns this object, with totals that are valid at that time. */
    RunAllocations refreshedAt(long now) {
        if (now >= recomputeAt) {
            recomputeTotals(now);
        }
        return this;
    }

    private void recomputeTotals(long now) {
        inFlight = 0;
        slots = 0;
        exclusive = false;
        openEndedSteps = 0;
        openEndedSlots = 0;
        recomputation++;
        recomputeAt = Moment.plus(now, 1 + size() * TOTALS_VALID_MICROS_PER_CLAIM);
        for (int i = 0; i < size(); i++) {
            if (get(i).isLive()) {
                count(get(i));
            }
        }
    }

    private void count(Allocation allocation) {
        TicketSpec.RunDemand runDemand = allocation.runDemand();
        inFlight++;
        slots += runDemand.slots();
        exclusive |= runDemand.exclusive();
        if (runDemand.fanOut() != null) {
            runDemand.fanOut().take(recomputation);
        }
        if (allocation.isOpenEnded()) {
            countOpenEnded(allocation, true);
        }
    }

    /** Adds a granted claim; returns its index. */
    int allocate(Allocation allocation) {
        count(allocation);
        return add(allocation);
    }

    void release(Allocation allocation) {
        TicketSpec.RunDemand runDemand = allocation.runDemand();
        inFlight--;
        slots -= runDemand.slots();
        if (runDemand.exclusive()) {
            exclusive = false;
        }
        if (runDemand.fanOut() != null) {
            runDemand.fanOut().release(recomputation);
        }
    }

    void countOpenEnded(Allocation allocation, boolean on) {
        openEndedSteps += on ? 1 : -1;
        openEndedSlots +=
                on ? allocation.runDemand().slots() : -allocation.runDemand().slots();
    }

    /** True if the demand would fit beside the claims whose end cannot be predicted. */
    boolean willFit(TicketSpec.RunDemand demand, int maxSteps, int maxSlots) {
        return openEndedSteps == 0
                || (!demand.exclusive() && openEndedSteps < maxSteps && demand.slots() <= maxSlots - openEndedSlots);
    }

    boolean isFull(FanOutLimit fanOut) {
        return fanOut.isFull(recomputation);
    }

    int inFlight(FanOutLimit fanOut) {
        return fanOut.inFlight(recomputation);
    }

    /**
     * Recomputes the totals, however recent they are. Describes the difference if they were wrong, else returns null.
     */
    @Nullable
    String correct(long now) {
        Totals recorded = totals();
        recomputeTotals(now);
        Totals actual = totals();
        return recorded.equals(actual) ? null : "expected " + actual + " in use, found " + recorded;
    }

    private Totals totals() {
        Map<FanOutLimit, Integer> items = new LinkedHashMap<>();
        for (int i = 0; i < size(); i++) {
            FanOutLimit fanOut = get(i).runDemand().fanOut();
            if (fanOut != null) {
                items.put(fanOut, inFlight(fanOut));
            }
        }
        return new Totals(inFlight, slots, exclusive, openEndedSteps, openEndedSlots, items);
    }

    private record Totals(
            int inFlight,
            int slots,
            boolean exclusive,
            int openEndedSteps,
            int openEndedSlots,
            Map<FanOutLimit, Integer> items) {
        @Override
        public String toString() {
            return inFlight + " steps with " + slots + " slots (" + (exclusive ? "one is" : "none is") + " exclusive, "
                    + openEndedSteps + " with " + openEndedSlots + " slots wait for a person) and items "
                    + items.values();
        }
    }
}
