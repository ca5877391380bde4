package dev.weir.engine;

import dev.weir.engine.records.BulkOperation.Task;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Finds the runs or dead letters that match the task of an operation. */
final class BulkTargets {
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

    private final Records records;

    BulkTargets(Records records) {
        this.records = records;
    }

    /** Returns a page of all that match, newest first. */
    RecordPage<BulkTarget> page(String org, Task task, PageRequest page) {
        return switch (task.filter()) {
            case RunFilter filter -> map(records.runs(org, filter, page), BulkTarget.OfRun::new);
            case DeadLetterFilter filter ->
                map(records.deadLetters().deadLetters(org, filter, page), BulkTarget.OfDeadLetter::new);
        };
    }

    private static <T> RecordPage<BulkTarget> map(RecordPage<T> page, Function<T, BulkTarget> target) {
        return new RecordPage<>(page.entries().stream().map(target).toList(), page.next());
    }

    /** Returns those of the listed ids that match. */
    List<BulkTarget> listed(String org, Task task, List<String> ids) {
        List<BulkTarget> matching = new ArrayList<>();
        for (String id : ids) {
            switch (task.filter()) {
                case RunFilter filter -> addRun(org, filter, id, matching);
                case DeadLetterFilter filter -> addDeadLetter(org, filter, id, matching);
            }
        }
        return matching;
    }

    private void addRun(String org, RunFilter filter, String id, List<BulkTarget> matching) {
        String key = filter.key();
        records.findRun(org, id)
                .filter(filter::matchesWithoutKey)
                .filter(run -> key == null || records.hasKey(org, run.run(), key))
                .ifPresent(run -> matching.add(new BulkTarget.OfRun(run.withoutInput())));
    }

    private void addDeadLetter(String org, DeadLetterFilter filter, String id, List<BulkTarget> matching) {
        if (NUMBER.matcher(id).matches()) {
            records.deadLetters()
                    .findDeadLetter(org, Long.parseLong(id))
                    .filter(filter::matches)
                    .map(DeadLetterRecord::withoutSubmission)
                    .ifPresent(found -> matching.add(new BulkTarget.OfDeadLetter(found)));
        }
    }

    /** Returns the number of the newest run or dead letter. Those that come later are not affected. */
    long newestNumber(String org, Task task) {
        var first = new PageRequest("", 1);
        return task.action().isOfDeadLetters()
                ? records.deadLetters().deadLetters(org, DeadLetterFilter.ALL, first).entries().stream()
                        .mapToLong(found -> found.letter().number())
                        .max()
                        .orElse(0)
                : records.runs(org, RunFilter.all(), first).entries().stream()
                        .mapToLong(RunRecord::number)
                        .max()
                        .orElse(0);
    }
}
