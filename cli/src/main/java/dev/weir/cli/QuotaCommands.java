package dev.weir.cli;

import dev.weir.api.Organisations;
import dev.weir.api.Organisations.Quota;
import dev.weir.api.Organisations.QuotaRequest;
import dev.weir.client.Client;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The commands that show and set the quota of an organisation. */
final class QuotaCommands {
    private QuotaCommands() {}

    /** Returns a quota as a line of text. */
    static String describe(Quota quota) {
        String left =
                quota.limit() == null ? "no quota is set" : quota.remaining() + " of " + quota.limit() + " are left";
        return "quota of " + quota.resourceType() + ": " + quota.used() + " started this month, " + left
                + "; resets at " + quota.resetAt() + " (" + quota.timeZone() + "). Nothing enforces it.";
    }

    /** A command about the quota of one organisation. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    abstract static class QuotaCommand implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--limit", paramLabel = "N|none", description = "Set the runs of a month.")
        private @Nullable String limit;

        @Option(names = "--time-zone", paramLabel = "ZONE", description = "The time zone in which months begin.")
        private @Nullable String timeZone;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        abstract Quota read(Client client) throws Exception;

        abstract Quota change(Client client, QuotaRequest request) throws Exception;

        @Override
        public Integer call() throws Exception {
            if (limit == null && (timeZone != null || reason != null)) {
                throw new ParameterException(spec.commandLine(), "expected --limit N or --limit none, found neither");
            }
            Client client = remote.client();
            Quota quota = limit == null ? read(client) : change(client, request());
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(quota)) {
                printer.line(describe(quota));
            }
            return ExitCode.OK;
        }

        private QuotaRequest request() {
            JsonNode value = CountArgument.read(spec, "--limit", limit);
            Long runs = value == null || value.isNull() ? null : (Long) value.longValue();
            return new QuotaRequest(Organisations.WORKFLOW_EXECUTIONS, runs, "month", timeZone, reason);
        }
    }

    /** The {@code weir org quota} command. */
    @Command(
            name = "quota",
            description = "Show the quota of runs per month, or set it (administrator). Nothing enforces it.",
            footer = {"", "Examples:", "  weir org quota", "  weir org quota --limit 100000 --time-zone Europe/Berlin"})
    static final class OfToken extends QuotaCommand {
        @Override
        Quota read(Client client) throws Exception {
            return client.operations().quota();
        }

        @Override
        Quota change(Client client, QuotaRequest request) throws Exception {
            return client.operations().changeQuota(request);
        }
    }

    /** The {@code weir orgs quota} command. */
    @Command(
            name = "quota",
            description = "Show or set the quota of an organisation: runs per month. Nothing enforces it.",
            footer = {"", "Examples:", "  weir orgs quota shop", "  weir orgs quota shop --limit 100000 --time-zone UTC"
            })
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class OfOrganisation extends QuotaCommand {
        @Parameters(index = "0", paramLabel = "ORG", description = "The name of the organisation.")
        private String name;

        @Override
        Quota read(Client client) throws Exception {
            return client.governance().administration().quota(name);
        }

        @Override
        Quota change(Client client, QuotaRequest request) throws Exception {
            return client.governance().administration().changeQuota(name, request);
        }
    }
}
