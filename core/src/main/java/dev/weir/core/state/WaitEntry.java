package dev.weir.core.state;

import dev.weir.core.admission.Hold;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.limit.LimitId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A time in which nobody worked on a step, item or run, and its cause.
 *
 * @param limit the limit that caused it; absent if none did
 * @param micros the duration in microseconds
 */
public record WaitEntry(Cause cause, @Nullable String limit, long micros) {
    public WaitEntry {
        if (micros < 0) {
            throw new IllegalArgumentException("a wait must not be negative, found " + micros + " µs for " + cause);
        }
    }

    /** The cause of a wait. */
    public enum Cause {
        CAPACITY,
        RATE,
        PAUSED,
        OVER_CAPACITY,
        RESERVED,
        NO_WORKER,
        /** The worker that had claimed it was not heard from again. */
        LOST_WORKER,
        BACKOFF,
        GATE,
        TIMER,
        SIGNAL,
        CHILD,
        NEEDS_INPUT,
        MISSING_INPUT,
        INVALID_ARTIFACT,
        OPERATOR,
        /** The caller delayed the start of the run. */
        DELAYED,
        /** The step never began, because a step that it needs had not ended. */
        DEPENDENCY,
        /** All steps had ended, and the run still ran compensations. */
        COMPENSATION;

        static Cause of(HoldCause cause) {
            return switch (cause) {
                case CAPACITY -> CAPACITY;
                case RATE -> RATE;
                case PAUSED -> PAUSED;
                case OVER_CAPACITY -> OVER_CAPACITY;
                case RESERVED -> RESERVED;
                case NO_WORKER -> NO_WORKER;
            };
        }

        public static Cause of(AwaitedEvent reason) {
            return switch (reason) {
                case TIME -> TIMER;
                case GATE -> GATE;
                case SIGNAL -> SIGNAL;
                case CHILD -> CHILD;
                case MISSING_INPUT -> MISSING_INPUT;
                case INVALID_ARTIFACT -> INVALID_ARTIFACT;
                case OPERATOR -> OPERATOR;
            };
        }
    }

    public static WaitEntry of(Hold refusal, long micros) {
        LimitId limit = refusal.limit();
        return new WaitEntry(Cause.of(refusal.cause()), limit == null ? null : text(limit), micros);
    }

    private static String text(LimitId limit) {
        return switch (limit) {
            case LimitId.Shared shared -> shared.text();
            case LimitId.Local local -> local.name().toLowerCase(Locale.ROOT);
        };
    }

    /** Adds an entry to a list. Entries with the same cause and limit become one. */
    public static List<WaitEntry> merge(List<WaitEntry> all, WaitEntry more) {
        if (more.micros == 0) {
            return all;
        }
        List<WaitEntry> sum = new ArrayList<>(all.size() + 1);
        boolean found = false;
        for (WaitEntry one : all) {
            boolean same = one.cause == more.cause && java.util.Objects.equals(one.limit, more.limit);
            sum.add(same ? new WaitEntry(one.cause, one.limit, one.micros + more.micros) : one);
            found |= same;
        }
        if (!found) {
            sum.add(more);
        }
        return List.copyOf(sum);
    }

    public static List<WaitEntry> merge(List<WaitEntry> all, List<WaitEntry> more) {
        List<WaitEntry> sum = all;
        for (WaitEntry one : more) {
            sum = merge(sum, one);
        }
        return sum;
    }

    /** Returns the total duration. */
    public static long total(List<WaitEntry> all) {
        return all.stream().mapToLong(WaitEntry::micros).sum();
    }
}
