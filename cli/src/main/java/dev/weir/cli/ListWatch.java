package dev.weir.cli;

import dev.weir.api.LiveEvent;
import dev.weir.client.Client;
import dev.weir.client.StreamFilter;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.ExitCode;

/**
 * Watches a list until the user interrupts, for {@code weir runs --watch} and {@code weir keys --watch}. On a terminal
 * it paints the list again after changes; elsewhere it prints each change.
 */
final class ListWatch implements WatchLoop.WatchView {
    private final WatchOutput output;
    private final TableReader table;
    private final Predicate<LiveEvent> wanted;
    private final Function<LiveEvent, String> text;

    /** Reads the list as rows; the first one is the heading. */
    @FunctionalInterface
    interface TableReader {
        List<List<String>> read() throws InterruptedException;
    }

    /**
     * Creates a view.
     *
     * @param wanted selects changes, as the list's own filter does
     * @param text describes a change in one line
     */
    ListWatch(WatchOutput output, TableReader table, Predicate<LiveEvent> wanted, Function<LiveEvent, String> text) {
        this.output = output;
        this.table = table;
        this.wanted = wanted;
        this.text = text;
    }

    int watch(Client client, StreamFilter filter) {
        return WatchLoop.run(client, filter, this);
    }

    @Override
    public OptionalInt show(List<LiveEvent> events) throws InterruptedException {
        switch (output.mode()) {
            case SCREEN -> output.paint(ResultPrinter.tableLines(table.read()));
            case LINES -> printLines(events);
            case JSON -> events.stream().filter(this::isWanted).forEach(output::json);
        }
        return output.isClosed() ? OptionalInt.of(ExitCode.OK) : OptionalInt.empty();
    }

    private boolean isWanted(LiveEvent event) {
        return event instanceof LiveEvent.Opened || event instanceof LiveEvent.Reset || wanted.test(event);
    }

    /** Prints the whole list when the stream begins, and after changes were missed. */
    private void printLines(List<LiveEvent> events) throws InterruptedException {
        for (LiveEvent event : events) {
            if (event instanceof LiveEvent.Opened || event instanceof LiveEvent.Reset) {
                ResultPrinter.tableLines(table.read()).forEach(output::plainLine);
            } else if (wanted.test(event)) {
                output.line(at(event), text.apply(event));
            }
        }
    }

    private static java.time.Instant at(LiveEvent event) {
        return switch (event) {
            case LiveEvent.RunEvent run -> run.at();
            case LiveEvent.StepEvent step -> step.at();
            case LiveEvent.KeyEvent key -> key.at();
            case LiveEvent.DeadLetterEvent letter -> letter.at();
            case LiveEvent.NoticeEvent notice -> notice.at();
            case LiveEvent.Opened ignored -> java.time.Instant.now();
            case LiveEvent.Reset ignored -> java.time.Instant.now();
        };
    }
}
