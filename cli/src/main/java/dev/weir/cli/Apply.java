package dev.weir.cli;

import dev.weir.api.Problem;
import dev.weir.api.Workflows.Applied;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir apply}: registers workflows. */
@Command(
        name = "apply",
        description = {
            "Register workflows from files, YAML or JSON. The same content again is no new version.",
            "",
            "If anything is wrong with one of the files, all of it is listed and nothing is registered."
        },
        footer = {"", "Examples:", "  weir apply examples/order.yaml", "  weir apply examples/*.yaml"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class Apply implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Remote remote;

    @Mixin
    private Output output;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Definitions.")
    private List<Path> files;

    /** A definition that was found right. */
    private record Checked(String name, String definition) {}

    @Override
    public Integer call() throws Exception {
        Client client = remote.client();
        List<Checked> right = new ArrayList<>();
        for (Path file : files) {
            check(client, file, right);
        }
        if (right.size() < files.size()) {
            return ExitCode.SOFTWARE;
        }
        var page = new Page(spec.commandLine().getOut(), output);
        List<Applied> all = new ArrayList<>();
        for (Checked one : right) {
            Applied applied = client.apply(one.name, one.definition);
            all.add(applied);
            if (output.format() == Output.Format.TEXT) {
                String what = applied.created() ? "registered as version " : "unchanged, version ";
                page.line(applied.name() + ": " + what + applied.version());
            }
        }
        page.json(all);
        return ExitCode.OK;
    }

    /** Asks about a file before any is registered; one that is wrong is said here, with every place. */
    private void check(Client client, Path file, List<Checked> right) throws IOException, InterruptedException {
        String definition = TextFile.read(file);
        try {
            right.add(new Checked(client.validate(definition).name(), definition));
        } catch (RequestFailed.Refused refused) {
            List<Problem.Finding> findings = refused.problem().errors();
            if (findings == null) {
                throw refused; // not for what the file says
            }
            findings.forEach(finding -> spec.commandLine().getErr().println(line(file, finding)));
            String count = findings.size() == 1 ? "one problem" : findings.size() + " problems";
            spec.commandLine().getErr().println("weir: " + file + " was refused: " + count + "; nothing is registered");
        }
    }

    /** As compilers say it, so that editors find the place. */
    private static String line(Path file, Problem.Finding finding) {
        String place = finding.line() == null ? "" : ":" + finding.line() + ":" + finding.column();
        String pointer = Page.text(finding.pointer());
        String field = pointer.isEmpty() ? "" : pointer.substring(1).replace('/', '.') + ": ";
        return Page.plain(file + place + ": " + field + finding.message());
    }
}
