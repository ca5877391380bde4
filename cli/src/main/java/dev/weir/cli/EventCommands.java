package dev.weir.cli;

import dev.weir.api.Events.Burst;
import dev.weir.api.Events.EventPage;
import dev.weir.api.Events.EventView;
import dev.weir.api.Events.OutcomeView;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Events.SentEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The {@code weir events} command: lists, shows and sends events. */
@Command(
        name = "events",
        description = "List events and what the triggers made of them, newest first.",
        subcommands = {EventCommands.ListEvents.class, EventCommands.Show.class, EventCommands.Send.class},
        footer = {
            "",
            "Examples:",
            "  weir events",
            "  weir events --outcome failed --workflow billing",
            "  weir events send order.created --payload '{\"order\": 7}'",
            "  weir events show EVENT -o json"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class EventCommands implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EventList list;

    @Override
    public Integer call() throws Exception {
        return list.print(spec);
    }

    /** The options of a list of events. */
    static final class EventList {
        /** The most pages that are read to find a matching event. The server examines 5,000 events per page. */
        private static final int PAGES_MAX = 20;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--event", paramLabel = "NAME", description = "Only events of this name.")
        private @Nullable String event;

        @Option(names = "--workflow", paramLabel = "WORKFLOW", description = "Only events for this workflow.")
        private @Nullable String workflow;

        @Option(
                names = "--outcome",
                paramLabel = "OUTCOME",
                description = "Only this outcome: started, debounced, filtered, cascade, failed or no_trigger.")
        private @Nullable String outcome;

        @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
        private @Nullable String cursor;

        int print(CommandSpec spec) throws Exception {
            EventPage found = find();
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            if (found.events().isEmpty()) {
                printer.line("no matching events");
            } else {
                List<List<String>> rows = new ArrayList<>();
                rows.add(List.of("ID", "EVENT", "WHEN", "OUTCOME"));
                found.events()
                        .forEach(each -> rows.add(
                                List.of(each.id(), each.event(), ResultPrinter.ago(each.at()), outcomes(each))));
                printer.table(rows);
            }
            if (found.next() != null) {
                printer.line("next page: --cursor " + found.next());
            }
            return 0;
        }

        /** Requests pages until one has events. */
        private EventPage find() throws Exception {
            Map<String, String> filter = new LinkedHashMap<>();
            put(filter, "event", event);
            put(filter, "workflow", workflow);
            put(filter, "outcome", outcome);
            put(filter, "cursor", cursor);
            EventPage page = remote.client().events().list(filter);
            for (int i = 1; i < PAGES_MAX && page.events().isEmpty() && page.next() != null; i++) {
                filter.put("cursor", page.next());
                page = remote.client().events().list(filter);
            }
            return page;
        }

        private static void put(Map<String, String> filter, String name, @Nullable String value) {
            if (value != null) {
                filter.put(name, value);
            }
        }
    }

    private static String outcomes(EventView event) {
        if (event.outcomes().isEmpty()) {
            return event.delivered() ? "no trigger" : "waits for its triggers";
        }
        return event.outcomes().stream().map(EventCommands::outcome).collect(Collectors.joining(", "));
    }

    private static String outcome(OutcomeView outcome) {
        String run = outcome.run() == null ? "" : " " + outcome.run();
        return outcome.workflow() + "/" + outcome.trigger() + " " + outcome.outcome() + run;
    }

    /** Lists events. */
    @Command(
            name = "list",
            description = "List events and what the triggers made of them, newest first.",
            footer = {"", "Examples:", "  weir events list --event order.created"})
    static final class ListEvents implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private EventList list;

        @Override
        public Integer call() throws Exception {
            return list.print(spec);
        }
    }

    /** Shows an event. */
    @Command(
            name = "show",
            description = "Show an event: its data, what led to it, and what the triggers made of it.",
            footer = {"", "Examples:", "  weir events show order-7-created"})
    static final class Show implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(paramLabel = "EVENT", description = "The id of the event.")
        private String event;

        @Override
        public Integer call() throws Exception {
            EventView found = remote.client().events().show(event);
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            printer.line(found.id() + ": " + found.event() + ", " + ResultPrinter.ago(found.at())
                    + (found.sentBy() == null ? "" : ", sent by " + found.sentBy()));
            printer.line("correlation id: " + found.correlationId());
            if (!found.chain().isEmpty()) {
                printer.line("after: "
                        + found.chain().stream()
                                .map(link -> link.kind() + " " + link.id())
                                .collect(Collectors.joining(", ")));
            }
            printer.line("data: " + found.data());
            if (found.outcomes().isEmpty()) {
                printer.line(outcomes(found));
            }
            found.outcomes().forEach(outcome -> printer.line("  " + outcome(outcome) + details(outcome)));
            return 0;
        }

        private static String details(OutcomeView outcome) {
            Burst burst = outcome.debounce();
            String reason = outcome.reason() == null ? "" : ": " + outcome.reason();
            return reason
                    + (burst == null
                            ? ""
                            : " (burst of " + burst.events() + (burst.key().isEmpty() ? "" : ", key " + burst.key())
                                    + ", ends " + burst.due() + ")");
        }
    }

    /** Sends an event. */
    @Command(
            name = "send",
            description = "Send an event. The same id with the same data is sent only once.",
            footer = {
                "",
                "Examples:",
                "  weir events send order.created --payload '{\"order\": 7}'",
                "  weir events send order.created --id order-7-created --payload @order.json"
            })
    static final class Send implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(paramLabel = "NAME", description = "The name of the event, to which triggers refer.")
        private String name;

        @Option(names = "--id", paramLabel = "ID", description = "The id of the event (default: a new one).")
        private @Nullable String id;

        @Option(names = "--payload", paramLabel = "JSON|@FILE", description = "The data (default: {}).")
        private @Nullable String data;

        @Option(names = "--source", paramLabel = "TEXT", description = "The sender, as it calls itself.")
        private @Nullable String source;

        @Option(
                names = "--correlation-id",
                paramLabel = "ID",
                description = "The id that the event shares with what led to it.")
        private @Nullable String correlationId;

        @Override
        public Integer call() throws Exception {
            JsonNode content = data == null ? null : JsonArgument.read(spec, "--payload", data);
            var request = new SendEventRequest(id, name, content, source, correlationId, null, null, null, null, null);
            SentEvent sent = remote.client().events().send(request);
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(sent)) {
                printer.line(sent.id() + ": " + (sent.created() ? "received" : "already received"));
            }
            return 0;
        }
    }
}
