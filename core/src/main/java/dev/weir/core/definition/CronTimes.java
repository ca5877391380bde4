package dev.weir.core.definition;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The times of a cron expression in a time zone. A time that the clock skips in spring comes at the end of the gap, and
 * a time that the clock repeats in autumn comes once, the first time. A schedule for every hour simply follows the
 * clock: it has no times in the gap, and both times of a repeated hour.
 */
public final class CronTimes {
    /** The days that are searched for the next time. The 29th of February can be eight years away. */
    static final int DAYS_MAX = 8 * 366 + 1;

    /** More than any gap or overlap of a time zone since 1970, except those that skip whole days. */
    private static final Duration SHIFT_MAX = Duration.ofHours(3);

    private static final int FROM_SUNDAY = 7;

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet days;
    private final BitSet months;
    private final BitSet weekdays;
    private final boolean everyHour;
    private final boolean eitherDay;

    /**
     * Creates the times.
     *
     * @param fields the values of the five fields
     * @param texts the fields as they are written
     */
    CronTimes(List<BitSet> fields, List<String> texts) {
        this.minutes = fields.get(0);
        this.hours = fields.get(1);
        this.days = fields.get(2);
        this.months = fields.get(3);
        this.weekdays = fields.get(4);
        this.everyHour = texts.get(1).equals("*");
        this.eitherDay = !texts.get(2).startsWith("*") && !texts.get(4).startsWith("*");
    }

    /** Returns the first time after the given one; empty if there is none within eight years. */
    public Optional<Instant> next(Instant after, ZoneId zone) {
        LocalDateTime from = LocalDateTime.ofInstant(after, zone).minus(SHIFT_MAX);
        LocalDate date = from.toLocalDate();
        for (int i = 0; i < DAYS_MAX; i++) {
            Instant found = matches(date) ? firstOf(date, from, after, zone) : null;
            if (found != null) {
                return Optional.of(found);
            }
            date = date.plusDays(1);
        }
        return Optional.empty();
    }

    private boolean matches(LocalDate date) {
        if (!months.get(date.getMonthValue())) {
            return false;
        }
        boolean day = days.get(date.getDayOfMonth());
        int weekday = date.getDayOfWeek().getValue() % FROM_SUNDAY;
        boolean named = weekdays.get(weekday) || (weekday == 0 && weekdays.get(FROM_SUNDAY));
        return eitherDay ? day || named : day && named;
    }

    private @Nullable Instant firstOf(LocalDate date, LocalDateTime from, Instant after, ZoneId zone) {
        Instant best = null;
        LocalDateTime last = LocalDateTime.MAX;
        for (int hour = hours.nextSetBit(0); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
            for (int minute = minutes.nextSetBit(0); minute >= 0; minute = minutes.nextSetBit(minute + 1)) {
                LocalDateTime time = date.atTime(hour, minute);
                if (time.isBefore(from) || time.isAfter(last)) {
                    continue;
                }
                for (Instant instant : instants(time, zone)) {
                    if (instant.isAfter(after) && (best == null || instant.isBefore(best))) {
                        best = instant;
                        last = time.plus(SHIFT_MAX);
                    }
                }
            }
        }
        return best;
    }

    private List<Instant> instants(LocalDateTime time, ZoneId zone) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
        if (offsets.isEmpty()) {
            ZoneOffsetTransition gap = zone.getRules().getTransition(time);
            return everyHour ? List.of() : List.of(gap.getInstant());
        }
        return offsets.size() > 1 && everyHour
                ? offsets.stream().map(time::toInstant).toList()
                : List.of(time.toInstant(offsets.getFirst()));
    }
}
