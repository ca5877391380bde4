package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * An operator's value for one field: a lasting one, and a temporary one that replaces it until it expires. The value
 * that was set last is in force, so a change applies at once: a new lasting value ends the temporary one.
 *
 * @param until the time when the temporary value ends; {@link Moment#NEVER} if there is none
 */
public record OperatorSetting<T>(
        @Nullable T lasting, @Nullable T temporary, long until) {
    private static final OperatorSetting<?> NONE = new OperatorSetting<>(null, null, Moment.NEVER);

    public OperatorSetting {
        if ((temporary == null) != (until == Moment.NEVER)) {
            throw new IllegalArgumentException(
                    "expected an end for a temporary value only, found value " + temporary + " until " + until);
        }
    }

    /** Returns the setting without a value: the definition's value is in force. */
    @SuppressWarnings("unchecked") // it has no value of any type
    public static <T> OperatorSetting<T> none() {
        return (OperatorSetting<T>) NONE;
    }

    /** Creates a setting with one value, which is lasting if it has no end. */
    public static <T> OperatorSetting<T> of(@Nullable T value, long until) {
        if (value == null) {
            return none();
        }
        return until == Moment.NEVER
                ? new OperatorSetting<>(value, null, until)
                : new OperatorSetting<>(null, value, until);
    }

    /** The value in force; null if the definition's value is. */
    public @Nullable T at(long now) {
        return temporary != null && until > now ? temporary : lasting;
    }

    /** Returns the setting after a change; {@code end} is {@link Moment#NEVER} for a lasting value. */
    public OperatorSetting<T> with(FieldChange<T> change, long end) {
        return switch (change) {
            case FieldChange.Keep<T> ignored -> this;
            case FieldChange.Clear<T> ignored -> none();
            case FieldChange.Replace<T> to ->
                end == Moment.NEVER ? of(to.value(), end) : new OperatorSetting<>(lasting, to.value(), end);
        };
    }

    /** The time when the temporary value in force ends; {@link Moment#NEVER} if there is none. */
    public long nextChange(long now) {
        return until > now ? until : Moment.NEVER;
    }

    /** The time when no value is left; {@link Moment#NEVER} if there is a lasting one. */
    public long endsAt() {
        return lasting != null ? Moment.NEVER : temporary != null ? until : Long.MIN_VALUE;
    }
}
