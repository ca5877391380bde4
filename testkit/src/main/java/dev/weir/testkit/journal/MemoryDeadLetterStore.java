package dev.weir.testkit.journal;

import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.TriggerSubmission;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.DeadLetterStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads the dead letters of a journal in memory. */
final class MemoryDeadLetterStore implements DeadLetterStore {
    private final Function<String, List<DeadLetterRecord>> lettersOf;

    MemoryDeadLetterStore(Function<String, List<DeadLetterRecord>> lettersOf) {
        this.lettersOf = lettersOf;
    }

    @Override
    public RecordPage<DeadLetterRecord> deadLetters(String org, DeadLetterFilter filter, PageRequest page) {
        long before = page.cursor().isEmpty() ? Long.MAX_VALUE : Long.parseLong(page.cursor());
        List<DeadLetterRecord> found = lettersOf.apply(org).reversed().stream()
                .filter(each -> each.letter().number() < before && filter.matches(each))
                .map(DeadLetterRecord::withoutSubmission)
                .toList();
        boolean isFull = found.size() > page.limit();
        List<DeadLetterRecord> entries = isFull ? found.subList(0, page.limit()) : found;
        return new RecordPage<>(
                entries, isFull ? String.valueOf(entries.getLast().letter().number()) : "");
    }

    /** Returns the work of a trigger that a dead letter keeps; null if it keeps none. */
    static @Nullable TriggerSubmission findTriggered(DeadLetter.Content content) {
        boolean isTriggered = content.kind() == DeadLetter.Kind.EVENT || content.kind() == DeadLetter.Kind.CASCADE;
        String submission = content.submission();
        return isTriggered && submission != null
                ? TriggerSubmission.read(content, JsonMapper.shared().readTree(submission))
                : null;
    }

    @Override
    public Optional<DeadLetterRecord> findDeadLetter(String org, long number) {
        return lettersOf.apply(org).stream()
                .filter(each -> each.letter().number() == number)
                .findFirst();
    }
}
