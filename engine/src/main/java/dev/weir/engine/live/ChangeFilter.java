package dev.weir.engine.live;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a reader wants.
 *
 * @param run the run whose changes, and whose steps' changes, are wanted; absent = all runs
 * @param key the flow-control key whose changes are wanted; absent = all keys
 */
public record ChangeFilter(
        Set<ChangeTopic> topics,
        @Nullable String run,
        @Nullable String key) {
    public ChangeFilter {
        topics = Set.copyOf(topics);
    }

    boolean matches(ChangeEvent event) {
        if (!topics.contains(event.topic())) {
            return false;
        }
        return switch (event) {
            case ChangeEvent.RunTransition change -> run == null || run.equals(change.run());
            case ChangeEvent.StepTransition change ->
                run == null || run.equals(change.unit().run());
            case ChangeEvent.DeadLetterTransition ignored -> true;
            case ChangeEvent.NoticeTransition ignored -> true;
            case ChangeEvent.KeyLevel change -> key == null || key.equals(change.key());
        };
    }

    boolean wantsKeys() {
        return topics.contains(ChangeTopic.KEYS);
    }
}
