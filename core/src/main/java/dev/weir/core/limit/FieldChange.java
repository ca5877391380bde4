package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/** An operator's change to one of several fields. */
public sealed interface FieldChange<T> {
    /** Leaves the value of the field. */
    record Keep<T>() implements FieldChange<T> {}

    /** Removes the value of the field, lasting or temporary. */
    record Clear<T>() implements FieldChange<T> {}

    /** Sets the value of the field. */
    record Replace<T>(T value) implements FieldChange<T> {}

    /** Returns a change that sets the value, or leaves the field if the value is null. */
    static <T> FieldChange<T> replaceOrKeep(@Nullable T value) {
        return value == null ? new Keep<>() : new Replace<>(value);
    }

    /** Returns a change that sets the value, or clears the field if the value is null. */
    static <T> FieldChange<T> replaceOrClear(@Nullable T value) {
        return value == null ? new Clear<>() : new Replace<>(value);
    }

    /** Returns the value after the change; {@code value} is the value before it. */
    default @Nullable T applyTo(@Nullable T value) {
        return switch (this) {
            case Keep<T> ignored -> value;
            case Clear<T> ignored -> null;
            case Replace<T> to -> to.value;
        };
    }
}
