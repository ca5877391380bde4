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
    private static final long GOOD_FOR_PER_CLAIM = 1;

    int inFlight;
    int slots;
    boolean exclusive;
    /** Number and slots of the claims in flight whose end cannot be predicted. */
    int resting;

    int restingSlots;
    /** The time from which the totals must be recomputed. */
    private long deriveFrom;
    /** Number of recomputations. A fan-out compares it to know if the last one counted its items. */
    private int derivation;

    /**
     * Creates the allocations of a run that had none. In this first pass claims are created after their grants, so the
     * totals must not be recomputed from claims yet.
     */
    RunAllocations(long now) {
        this.deriveFrom = Moment.plus(now, 1);
    }

    /** Returns this object, with totals that are valid at that time. */
    RunAllocations at(long now) {
        if (now >= deriveFrom) {
            derive(now);
        }
        return this;
    }

    private void derive(long now) {
        inFlight = 0;
        slots = 0;
        exclusive = false;
        resting = 0;
        restingSlots = 0;
        derivation++;
        deriveFrom = Moment.plus(now, 1 + size() * GOOD_FOR_PER_CLAIM);
        for (int i = 0; i < size(); i++) {
            if (get(i).live()) {
                count(get(i));
            }
        }
    }

    private void count(Allocation holding) {
        TicketSpec.Local local = holding.local();
        inFlight++;
        slots += local.slots();
        exclusive |= local.exclusive();
        if (local.fanOut() != null) {
            local.fanOut().take(derivation);
        }
        if (holding.rests()) {
            rest(holding, true);
        }
    }

    /** Adds a granted claim; returns its index. */
    int hold(Allocation holding) {
        count(holding);
        return add(holding);
    }

    void giveBack(Allocation holding) {
        TicketSpec.Local local = holding.local();
        inFlight--;
        slots -= local.slots();
        if (local.exclusive()) {
            exclusive = false;
        }
        if (local.fanOut() != null) {
            local.fanOut().release(derivation);
        }
    }

    void rest(Allocation holding, boolean on) {
        resting += on ? 1 : -1;
        restingSlots += on ? holding.local().slots() : -holding.local().slots();
    }

    /** True if the demand would fit beside the claims whose end cannot be predicted. */
    boolean willFit(TicketSpec.Local demand, int maxSteps, int maxSlots) {
        return resting == 0 || (!demand.exclusive() && resting < maxSteps && demand.slots() <= maxSlots - restingSlots);
    }

    boolean full(FanOutLimit fanOut) {
        return fanOut.full(derivation);
    }

    int inFlight(FanOutLimit fanOut) {
        return fanOut.inFlight(derivation);
    }

    /**
     * Recomputes the totals, however recent they are. Describes the difference if they were wrong, else returns null.
     */
    @Nullable
    String correct(long now) {
        Totals kept = totals();
        derive(now);
        Totals derived = totals();
        return kept.equals(derived) ? null : "expected " + derived + " in use, found " + kept;
    }

    private Totals totals() {
        Map<FanOutLimit, Integer> items = new LinkedHashMap<>();
        for (int i = 0; i < size(); i++) {
            FanOutLimit fanOut = get(i).local().fanOut();
            if (fanOut != null) {
                items.put(fanOut, inFlight(fanOut));
            }
        }
        return new Totals(inFlight, slots, exclusive, resting, restingSlots, items);
    }

    private record Totals(
            int inFlight,
            int slots,
            boolean exclusive,
            int resting,
            int restingSlots,
            Map<FanOutLimit, Integer> items) {
        @Override
        public String toString() {
            return inFlight + " steps with " + slots + " slots (" + (exclusive ? "one is" : "none is") + " exclusive, "
                    + resting + " with " + restingSlots + " slots wait for a person) and items " + items.values();
        }
    }
}
