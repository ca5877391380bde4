package dev.weir.core.state;

/**
 * The rows about what needs a person's attention.
 *
 * @param lastDeadLetter the number of the newest dead letter; 0 if there was none
 */
public record AttentionRows(long lastDeadLetter) {
    public static final AttentionRows NONE = new AttentionRows(0);
}
