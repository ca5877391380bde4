package dev.weir.core.life;

import dev.weir.core.admission.Cause;
import dev.weir.core.admission.Refusal;
import dev.weir.core.limit.LimitId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Time of a step, item or run in which nobody worked on it, and what that is put down to.
 *
 * @param limit which limit it was; absent where it was none
 * @param micros how long
 */
public record Waited(For what, @Nullable String limit, long micros) {
    public Waited {
        if (micros < 0) {
            throw new IllegalArgumentException("a wait must not be negative, found " + micros + " µs for " + what);
        }
    }

    /** What was waited for. */
    public enum For {
        CAPACITY,
        RATE,
        PAUSED,
        OVER_CAPACITY,
        RESERVED,
        NO_WORKER,
        /** A worker that had claimed it was not heard of again. */
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
        /** The run was put off by the one who has started it. */
        DELAYED,
        /** It never began, because something that it needs had not ended. */
        DEPENDENCY,
        /** All steps had ended, and the run had not: it undid what it had done. */
        COMPENSATION;

        static For of(Cause cause) {
            return switch (cause) {
                case CAPACITY -> CAPACITY;
                case RATE -> RATE;
                case PAUSED -> PAUSED;
                case OVER_CAPACITY -> OVER_CAPACITY;
                case RESERVED -> RESERVED;
                case NO_WORKER -> NO_WORKER;
            };
        }

        static For of(WaitsFor reason) {
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

    static Waited of(Refusal refusal, long micros) {
        LimitId limit = refusal.limit();
        return new Waited(For.of(refusal.cause()), limit == null ? null : text(limit), micros);
    }

    private static String text(LimitId limit) {
        return switch (limit) {
            case LimitId.Shared shared -> shared.text();
            case LimitId.Local local -> local.name().toLowerCase(Locale.ROOT);
        };
    }

    /** All of these and one more; what is put down to the same thing is one entry. */
    static List<Waited> plus(List<Waited> all, Waited more) {
        if (more.micros == 0) {
            return all;
        }
        List<Waited> sum = new ArrayList<>(all.size() + 1);
        boolean found = false;
        for (Waited one : all) {
            boolean same = one.what == more.what && java.util.Objects.equals(one.limit, more.limit);
            sum.add(same ? new Waited(one.what, one.limit, one.micros + more.micros) : one);
            found |= same;
        }
        if (!found) {
            sum.add(more);
        }
        return List.copyOf(sum);
    }

    static List<Waited> plus(List<Waited> all, List<Waited> more) {
        List<Waited> sum = all;
        for (Waited one : more) {
            sum = plus(sum, one);
        }
        return sum;
    }

    /** How long all of these took together. */
    public static long total(List<Waited> all) {
        return all.stream().mapToLong(Waited::micros).sum();
    }
}
