package dev.weir.core.state;

import java.util.concurrent.TimeUnit;

/**
 * The thresholds of notices.
 *
 * @param warnPercent the usage of a limit at which a warning is issued
 * @param lowPercent the usage below which a notice can close
 * @param lowFor the time for which the usage must be that low before the notice closes, in microseconds
 * @param oldestWaiter the waiting time at which a notice is issued, in microseconds
 * @param deadLetters the number of open dead letters at which a notice is issued
 */
public record NoticeSettings(int warnPercent, int lowPercent, long lowFor, long oldestWaiter, int deadLetters) {
    public static final NoticeSettings DEFAULT =
            new NoticeSettings(80, 70, TimeUnit.MINUTES.toMicros(5), TimeUnit.HOURS.toMicros(1), 100);

    public NoticeSettings {
        if (lowPercent < 1 || lowPercent >= warnPercent || warnPercent > 100) {
            throw new IllegalArgumentException(
                    "expected 1 <= low percent < warning percent <= 100, found " + lowPercent + " and " + warnPercent);
        }
        if (lowFor <= 0 || oldestWaiter <= 0 || deadLetters < 1) {
            throw new IllegalArgumentException("expected positive thresholds of notices, found " + lowFor + ", "
                    + oldestWaiter + " and " + deadLetters);
        }
    }
}
