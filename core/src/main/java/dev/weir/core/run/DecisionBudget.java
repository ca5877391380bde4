package dev.weir.core.run;

import dev.weir.core.expression.UnitCounter;
import org.jspecify.annotations.Nullable;

/**
 * Limits the work of one decision: all commands since the last advance, and that advance. Rules that can continue later
 * check the budget before each step or item, and leave the rest for the next decision.
 *
 * <p>The last step that is begun, or the last report, may overspend by about 200,000 units: the budget of one
 * expression scope, the cost of checking one output, or the price of compiling the largest expression. So a command
 * takes at most these 200,000 units, or twice that if it also compiles a {@code run_key} or a schema. An advance
 * takes at most {@code UNITS_MAX} and one such step: 500,000 units, some 75 milliseconds on the machine on which a unit
 * was measured as 0.15 microseconds.
 */
final class DecisionBudget {
    /** Units after which a decision begins nothing new. A full batch of ordinary starts or reports costs less. */
    static final long UNITS_MAX = 300_000;
    /** Units after which the reports of workers also wait for the next decision. */
    static final long REPORT_UNITS_MAX = 375_000;
    /** Units that an advance gets at least, however much the commands before it have used. */
    static final long ADVANCE_UNITS_MIN = 75_000;
    /** The price of a move that is made and written, in units, without the data in it. */
    static final int MOVE_COST = 10;

    final UnitCounter counter = new UnitCounter();
    private long unitsAtStart;
    private long limit = UNITS_MAX;
    private long heaviestUnits;
    private @Nullable Unit heaviest;

    void spend(long units) {
        counter.add(units);
    }

    private long spent() {
        return counter.units() - unitsAtStart;
    }

    boolean isSpent() {
        return spent() >= limit;
    }

    boolean isSpentForReports() {
        return spent() >= REPORT_UNITS_MAX;
    }

    /** Begins the advance, after all commands of the decision. */
    void beginAdvance() {
        resetHeaviest();
        limit = Math.max(UNITS_MAX, spent() + ADVANCE_UNITS_MIN);
    }

    /** Begins the next decision. */
    void reset() {
        unitsAtStart = counter.units();
        limit = UNITS_MAX;
    }

    /** Forgets the most expensive step, because another command or the advance begins. */
    void resetHeaviest() {
        heaviest = null;
        heaviestUnits = 0;
    }

    /** Records the cost of a step or item since the counter had the given value. */
    void recordCost(Unit unit, long unitsBefore) {
        long units = counter.units() - unitsBefore;
        if (units > heaviestUnits) {
            heaviestUnits = units;
            heaviest = unit;
        }
    }

    /** Returns the step or item that cost most in the last command or in the advance. */
    @Nullable
    Unit heaviest() {
        return heaviest;
    }
}
