package dev.weir.server.view;

import dev.weir.api.Keys;
import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.definition.DurationText;
import dev.weir.core.explain.KeySnapshot;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.run.OrganisationView;
import dev.weir.core.run.TicketOwner;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.UnitId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts flow-control keys to the wire format. */
public final class KeyViews {
    private KeyViews() {}

    public static Keys.KeyView key(KeySnapshot key, Keys.@Nullable KeyDetails details, long now) {
        LimitSnapshot view = key.limit();
        Long pausedUntil = key.pausedUntil();
        Rate rate = view.rate();
        return new Keys.KeyView(
                name(view),
                view.waiting(),
                WireWords.at(view.oldestSince()),
                new Keys.Usage(view.parallelism(), view.used()),
                new Keys.Rate(
                        rate == null ? null : (Integer) rate.count(),
                        view.rateUsed(),
                        period(rate),
                        rate == null ? null : WireWords.of(rate.window()),
                        rate == null ? null : WireWords.at(view.windowStart())),
                pausedUntil != null,
                pausedUntil == null ? null : WireWords.at(pausedUntil),
                retryAfter(key.retryAfter()),
                pin(view.pin(), now),
                details);
    }

    /** Returns the steps and runs that a key refuses. */
    public static List<Keys.Waiter> waiters(List<OrganisationView.WaitingOwner> waiting) {
        return waiting.stream().map(KeyViews::waiter).toList();
    }

    private static Keys.Waiter waiter(OrganisationView.WaitingOwner waiting) {
        TicketOwner owner = waiting.owner();
        Explanation.Expected expected = waiting.expected();
        return new Keys.Waiter(
                owner.run(),
                owner.step(),
                WireWords.item(owner.item()),
                WireWords.at(owner.since()),
                expected == null ? null : WireWords.at(expected.at()),
                expected == null ? null : (Boolean) expected.estimate());
    }

    public static String name(LimitSnapshot view) {
        return view.limit() instanceof LimitId.Key key
                ? key.name()
                : view.limit().text();
    }

    private static Keys.@Nullable RetryAfter retryAfter(@Nullable RetryAfterHold hold) {
        if (hold == null) {
            return null;
        }
        UnitId by = hold.by();
        return new Keys.RetryAfter(
                Moment.toInstant(hold.until()),
                hold.status(),
                by == null ? null : by.run(),
                by == null ? null : by.step(),
                by == null ? null : WireWords.item(by.item()));
    }

    private static Keys.@Nullable Pin pin(@Nullable Pin pin, long now) {
        if (pin == null) {
            return null;
        }
        long end = pin.nextChange(now);
        boolean lasting = pin.parallelism().lasting() != null || pin.rate().lasting() != null;
        Keys.Pin after = end == Moment.NEVER || !lasting
                ? null
                : values(pin.parallelism().lasting(), pin.rate().lasting(), null, null);
        return values(pin.parallelism(now), pin.rate(now), WireWords.at(end), after);
    }

    private static Keys.Pin values(
            @Nullable Integer parallelism, @Nullable Rate rate, @Nullable Instant until, Keys.@Nullable Pin lasting) {
        return new Keys.Pin(
                parallelism,
                rate == null ? null : (Integer) rate.count(),
                period(rate),
                rate == null ? null : WireWords.of(rate.window()),
                until,
                lasting);
    }

    private static @Nullable String period(@Nullable Rate rate) {
        return rate == null ? null : DurationText.format(Duration.of(rate.period(), ChronoUnit.MICROS));
    }
}
