package dev.weir.engine.records;

import dev.weir.core.state.DeadLetter;
import org.jspecify.annotations.Nullable;

/** A filter for dead letters. A dead letter must match all given criteria; an absent one matches all. */
public record DeadLetterFilter(
        DeadLetter.@Nullable State state,
        DeadLetter.@Nullable Kind kind,
        DeadLetter.@Nullable Reason reason,
        @Nullable String workflow,
        @Nullable String key)
        implements BulkFilter {
    public static final DeadLetterFilter ALL = new DeadLetterFilter(null, null, null, null, null);

    /** The starts of the inbox that were refused, whatever became of them since. */
    static final DeadLetterFilter REFUSED_STARTS =
            new DeadLetterFilter(null, DeadLetter.Kind.REFUSED_START, null, null, null);

    /** True if a dead letter matches. */
    public boolean matches(DeadLetterRecord found) {
        DeadLetter.Content content = found.letter().content();
        return (state == null || state == found.state())
                && (kind == null || kind == content.kind())
                && (reason == null || reason == content.reason())
                && (workflow == null || workflow.equals(content.workflow()))
                && (key == null || content.keys().contains(key));
    }
}
