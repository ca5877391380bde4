package dev.weir.core.command;

import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import org.jspecify.annotations.Nullable;

/** Changes an operator's values for a shared limit. They override the steps' own values at once. */
public record PinKey(LimitId.Shared limit, Values values) implements KeyCommand<PinKey.Answer> {
    public PinKey {
        if (limit instanceof LimitId.Runs) {
            throw new IllegalArgumentException(
                    "expected a key, found " + limit.text() + "; limits on runs are changed by ConfigureRunLimits");
        }
    }

    /** The period of a rate that is given without one, in microseconds. */
    static final long DEFAULT_PERIOD = 1_000_000;

    /** The answer to the operator. */
    public enum Answer {
        PINNED,
        /** No value is left. */
        UNPINNED,
        /** A period or a window was given, but no rate is pinned. */
        NO_RATE
    }

    /**
     * The changes. Each field can be changed alone; a kept field stays as it is.
     *
     * @param rate the number of starts in a period; without it, period and window mean nothing
     * @param period the period of the rate, in microseconds
     * @param until the time when the new values expire; {@link Moment#NEVER} for permanent ones
     */
    public record Values(
            FieldChange<Integer> parallelism,
            FieldChange<Integer> rate,
            FieldChange<Long> period,
            FieldChange<Window> window,
            long until) {}

    /** Creates a command that sets the given values and keeps the others. */
    public static PinKey of(LimitId.Shared limit, @Nullable Integer parallelism, @Nullable Rate rate, long until) {
        return new PinKey(
                limit,
                new Values(
                        FieldChange.replaceOrKeep(parallelism),
                        FieldChange.replaceOrKeep(rate == null ? null : (Integer) rate.count()),
                        FieldChange.replaceOrKeep(rate == null ? null : (Long) rate.period()),
                        FieldChange.replaceOrKeep(rate == null ? null : rate.window()),
                        until));
    }

    @Override
    public Answer decide(KeyControl keys, long now) {
        Pin before = keys.findPin(limit, now).orElse(null);
        OperatorSetting<Rate> rateBefore = before == null ? OperatorSetting.none() : before.rate();
        FieldChange<Rate> change = rateChange(values.until == Moment.NEVER ? rateBefore.lasting() : rateBefore.at(now));
        if (change == null) {
            return Answer.NO_RATE;
        }
        OperatorSetting<Integer> parallelismBefore = before == null ? OperatorSetting.none() : before.parallelism();
        OperatorSetting<Integer> parallelism = parallelismBefore.with(values.parallelism, values.until);
        OperatorSetting<Rate> rate = rateBefore.with(change, values.until);
        if (parallelism.equals(OperatorSetting.none()) && rate.equals(OperatorSetting.none())) {
            var unused = keys.unpin(limit, now);
            return Answer.UNPINNED;
        }
        keys.pin(limit, new Pin(parallelism, rate), now);
        return Answer.PINNED;
    }

    /** Returns the change of the rate as a whole; null if a part of a rate was given but there is no rate. */
    private @Nullable FieldChange<Rate> rateChange(@Nullable Rate before) {
        boolean hasRateParts = values.period instanceof FieldChange.Replace<Long>
                || values.window instanceof FieldChange.Replace<Window>;
        if (values.rate instanceof FieldChange.Clear<Integer>) {
            return hasRateParts ? null : new FieldChange.Clear<>();
        }
        Integer count = values.rate.applyTo(before == null ? null : (Integer) before.count());
        if (count == null) {
            return hasRateParts ? null : new FieldChange.Keep<>();
        }
        boolean isUnchanged = values.rate instanceof FieldChange.Keep<Integer>
                && values.period instanceof FieldChange.Keep<Long>
                && values.window instanceof FieldChange.Keep<Window>;
        if (isUnchanged) {
            return new FieldChange.Keep<>();
        }
        Long period = values.period.applyTo(before == null ? null : (Long) before.period());
        Window window = values.window.applyTo(before == null ? null : before.window());
        return new FieldChange.Replace<>(
                new Rate(count, period == null ? DEFAULT_PERIOD : period, window == null ? Window.SLIDING : window));
    }
}
