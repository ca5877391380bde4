package dev.weir.server.view;

import dev.weir.api.Keys;
import dev.weir.core.admission.LimitView;
import dev.weir.core.definition.Durations;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Flow-control keys as the wire has them. */
public final class KeyViews {
    private KeyViews() {}

    public static Keys.KeyView key(LimitView view) {
        Rate rate = view.rate();
        return new Keys.KeyView(
                name(view),
                view.waiting(),
                new Keys.Usage(view.parallelism(), view.used()),
                new Keys.Rate(
                        rate == null ? null : (Integer) rate.count(),
                        view.rateUsed(),
                        period(rate),
                        rate == null ? null : Words.of(rate.window()),
                        rate == null ? null : Words.at(view.windowStart())),
                view.paused(),
                pin(view.pin()));
    }

    public static String name(LimitView view) {
        return view.limit() instanceof LimitId.Key key
                ? key.name()
                : view.limit().text();
    }

    private static Keys.@Nullable Pin pin(@Nullable Pin pin) {
        if (pin == null) {
            return null;
        }
        Rate rate = pin.rate();
        return new Keys.Pin(
                pin.parallelism(),
                rate == null ? null : (Integer) rate.count(),
                period(rate),
                rate == null ? null : Words.of(rate.window()),
                Words.at(pin.until()));
    }

    private static @Nullable String period(@Nullable Rate rate) {
        return rate == null ? null : Durations.text(Duration.of(rate.period(), ChronoUnit.MICROS));
    }
}
