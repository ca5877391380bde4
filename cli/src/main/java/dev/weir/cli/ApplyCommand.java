package dev.weir.cli;

import dev.weir.api.Problem;
import dev.weir.api.Workflows.Applied;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.io.IOException;
import java.io.PrintWriter;
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

/** The {@code weir apply} command: registers workflows. */
@Command(
        name = "apply",
        description = {
            "Register workflows from YAML or JSON files. A file with unchanged content creates no new version.",
            "",
            "If any file is invalid, the command lists all problems and registers nothing. A warning names a field that"
                    + " Weir accepts but that has no effect yet, or another effect than you may expect."
        },
        footer = {"", "Examples:", "  weir apply examples/order.yaml", "  weir apply examples/*.yaml"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class ApplyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files with workflow definitions.")
    private List<Path> files;

    /** A definition that the server has found valid. */
    private record ValidFile(Path file, String name, String definition) {}

    @Override
    public Integer call() throws Exception {
        Client client = remote.client();
        List<ValidFile> valid = new ArrayList<>();
        for (Path file : files) {
            validate(client, file, valid);
        }
        if (valid.size() < files.size()) {
            return ExitCode.SOFTWARE;
        }
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        List<Applied> results = new ArrayList<>();
        for (ValidFile one : valid) {
            Applied applied = client.apply(one.name, one.definition);
            results.add(applied);
            applied.findings()
                    .forEach(finding ->
                            TerminalWriter.err(spec.commandLine()).println(line(one.file, "warning: ", finding)));
            if (output.format() == OutputOptions.Format.TEXT) {
                String what = applied.created() ? "registered as version " : "unchanged, version ";
                printer.line(applied.name() + ": " + what + applied.version());
            }
        }
        printer.json(results);
        return ExitCode.OK;
    }

    /** Validates a file before any file is registered. If it is invalid, every problem is printed with its position. */
    private void validate(Client client, Path file, List<ValidFile> valid) throws IOException, InterruptedException {
        String definition = TextFile.read(file);
        try {
            valid.add(new ValidFile(file, client.validate(definition).name(), definition));
        } catch (RequestFailed.Refused refused) {
            List<Problem.Finding> findings = refused.problem().errors();
            if (findings == null) {
                throw refused; // not refused because of the file's content
            }
            PrintWriter err = TerminalWriter.err(spec.commandLine());
            findings.forEach(finding -> err.println(line(file, "", finding)));
            String count = findings.size() == 1 ? "1 problem" : findings.size() + " problems";
            err.println("weir: " + file + " is invalid: " + count + ". Nothing was registered.");
        }
    }

    /** Formats a finding like a compiler message, so that editors find the position. */
    private static String line(Path file, String kind, Problem.Finding finding) {
        String position = finding.line() == null ? "" : ":" + finding.line() + ":" + finding.column();
        String pointer = ResultPrinter.textOrEmpty(finding.pointer());
        String field = pointer.isEmpty() ? "" : pointer.substring(1).replace('/', '.') + ": ";
        return ResultPrinter.toPlainLine(file + position + ": " + kind + field + finding.message());
    }
}
