package dev.weir.core.admission;

/**
 * As much of a flow-control key as is needed to sort it into a list, and to select it.
 *
 * @param waiting the number of tickets that it refuses
 * @param used capacity in use
 * @param fullness the larger of the shares of its capacity and of its rate that are used; 0 if it has neither
 * @param oldestSince see {@link LimitSnapshot}
 * @param paused true if anything stops new starts
 * @param pinned true if an operator's values are in force
 */
public record KeySummary(
        String key, int waiting, int used, double fullness, long oldestSince, boolean paused, boolean pinned) {
    static KeySummary of(String key, LimitSnapshot limit) {
        double capacity = limit.parallelism() == null ? 0 : (double) limit.used() / limit.parallelism();
        double rate = limit.rate() == null
                ? 0
                : (double) limit.rateUsed() / limit.rate().count();
        return new KeySummary(
                key,
                limit.waiting(),
                limit.used(),
                Math.max(capacity, rate),
                limit.oldestSince(),
                limit.paused(),
                limit.pin() != null);
    }
}
