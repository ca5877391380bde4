package dev.weir.cli;

import dev.weir.api.Keys.KeyAction;
import dev.weir.api.Keys.KeyPage;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.KeyView;
import dev.weir.api.Keys.PinRequest;
import dev.weir.api.LiveEvent;
import dev.weir.client.Client;
import dev.weir.client.StreamFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir keys} command: shows flow-control keys and operates them. */
@Command(
        name = "keys",
        description = "List flow-control keys, show one key, or change one key.",
        subcommands = KeyHistoryCommand.class,
        synopsisSubcommandLabel = "[history KEY]",
        footer = {
            "",
            "Actions:",
            "  pause       Stop new starts under the key; running steps continue.",
            "  resume      End a pause, or a hold by a Retry-After header.",
            "  pin         Set limits that replace those of the workflows.",
            "  unpin       Use the limits of the workflows again.",
            "  reset-rate  Forget the starts that count against the rate.",
            "",
            "Examples:",
            "  weir keys",
            "  weir keys --sort waiting --prefix customer-",
            "  weir keys billing-api",
            "  weir keys billing-api --watch   until you press Ctrl-C",
            "  weir keys history billing-api",
            "  weir keys billing-api pause --for 30m --reason 'the provider is down'",
            "  weir keys billing-api pin --parallelism 2 --rate 5 --period 10s"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class KeyCommands implements Callable<Integer> {
    private static final List<String> ACTIONS = List.of("pause", "resume", "pin", "unpin", "reset-rate");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", arity = "0..1", paramLabel = "KEY", description = "The key (default: list all keys).")
    private @Nullable String key;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ACTION", description = "The action (default: show the key).")
    private @Nullable String action;

    @Option(
            names = "--prefix",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "List only keys with this prefix.")
    private String prefix;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            defaultValue = "name",
            description = "The order of the list: name, fullest, waiting or oldest (default: name).")
    private String sort;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "List only keys in this state: paused, pinned, full or waiting.")
    private @Nullable String state;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Maximum number of keys, at most 200 (default: 50).")
    private int limit;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the node's log.")
    private @Nullable String reason;

    @Option(names = "--for", paramLabel = "DURATION", description = "End the pause or pin after this time.")
    private @Nullable String forTime;

    @Option(
            names = "--parallelism",
            paramLabel = "N|none",
            description = "For pin: maximum number of steps that run at once.")
    private @Nullable String parallelism;

    @Option(names = "--rate", paramLabel = "N|none", description = "For pin: maximum number of starts per period.")
    private @Nullable String rate;

    @Option(names = "--period", paramLabel = "DURATION", description = "For pin: the period of the rate.")
    private @Nullable String period;

    @Option(names = "--watch", description = "Show changes until interrupted. In a pipe or file, print each change.")
    private boolean watch;

    @Override
    public Integer call() throws Exception {
        if (watch) {
            return watch(remote.retryingClient());
        }
        Client client = remote.client();
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (key == null) {
            list(printer, client.keys(filter()));
        } else if (action == null) {
            KeyView view = client.key(key);
            if (!printer.json(view)) {
                printer.table(List.of(heading(), row(view)));
            }
        } else {
            KeyAction result = operate(client, key, action);
            if (!printer.json(result)) {
                printer.line(result.key() + ": " + result.outcome());
                for (String warning : result.warnings() == null ? List.<String>of() : result.warnings()) {
                    printer.line("warning: " + warning);
                }
            }
        }
        return 0;
    }

    private Map<String, String> filter() {
        Map<String, String> filter = new LinkedHashMap<>();
        filter.put("prefix", prefix);
        filter.put("sort", sort);
        filter.put("limit", String.valueOf(limit));
        if (state != null) {
            filter.put("state", state);
        }
        if (cursor != null) {
            filter.put("cursor", cursor);
        }
        return filter;
    }

    private int watch(Client client) {
        if (action != null) {
            throw new ParameterException(spec.commandLine(), "expected no action with --watch, found '" + action + "'");
        }
        String watched = key;
        ListWatch.TableReader table = () -> rows(
                watched == null
                        ? client.keys(filter()).keys()
                        : KeyEventText.find(client, watched).stream().toList());
        return new ListWatch(
                        WatchOutput.of(spec.commandLine(), output),
                        table,
                        event -> event instanceof LiveEvent.KeyEvent change
                                && change.key().startsWith(prefix),
                        KeyEventText::describe)
                .watch(client, watched == null ? StreamFilter.topics("keys") : StreamFilter.key(watched));
    }

    private KeyAction operate(Client client, String name, String verb) throws InterruptedException {
        if (!ACTIONS.contains(verb)) {
            throw new ParameterException(
                    spec.commandLine(), "expected one of " + String.join(", ", ACTIONS) + ", found '" + verb + "'");
        }
        return verb.equals("pin") ? client.pin(pin(name)) : client.operate(verb, new KeyRequest(name, reason, forTime));
    }

    /** Returns a request that keeps the value of every absent option. */
    private PinRequest pin(String name) {
        return new PinRequest(
                name,
                reason,
                forTime,
                CountArgument.read(spec, "--parallelism", parallelism),
                CountArgument.read(spec, "--rate", rate),
                PeriodArgument.read(period),
                null);
    }

    private static void list(ResultPrinter printer, KeyPage found) {
        if (printer.json(found)) {
            return;
        }
        if (found.keys().isEmpty()) {
            printer.line("no keys in use");
            return;
        }
        printer.table(rows(found.keys()));
        printer.line(found.totals().keys() + " keys, " + found.totals().waiting() + " waiting, "
                + found.totals().inUse() + " in use");
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
    }

    private static List<List<String>> rows(List<KeyView> keys) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading());
        keys.forEach(view -> rows.add(row(view)));
        return rows;
    }

    private static List<String> heading() {
        return List.of("KEY", "WAITING", "OLDEST", "RUNNING", "STARTS", "PERIOD", "");
    }

    private static List<String> row(KeyView view) {
        String state = (view.paused() ? "paused " : "")
                + (view.retryAfter() == null
                        ? ""
                        : "retry after " + view.retryAfter().until() + " ")
                + (view.pinned() == null ? "" : "pinned");
        return List.of(
                view.key(),
                String.valueOf(view.waiting()),
                ResultPrinter.ago(view.oldestWaitingSince()),
                usage(view.parallelism().used(), view.parallelism().max()),
                view.rate().max() == null
                        ? ""
                        : usage(view.rate().used(), view.rate().max()),
                ResultPrinter.textOrEmpty(view.rate().period()),
                state.strip());
    }

    private static String usage(long used, @Nullable Integer max) {
        return max == null ? String.valueOf(used) : used + " of " + max;
    }
}
