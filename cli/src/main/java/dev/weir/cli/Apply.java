package dev.weir.cli;

import dev.weir.api.Workflows.Applied;
import dev.weir.client.Client;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir apply}: registers workflows. */
@Command(
        name = "apply",
        description = "Register workflows from files, YAML or JSON. The same content again is no new version.",
        footer = {"", "Example:", "  weir apply examples/order.yaml"})
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

    @Override
    public Integer call() throws Exception {
        var page = new Page(spec.commandLine().getOut(), output);
        Client client = remote.client();
        List<Applied> all = new ArrayList<>();
        for (Path file : files) {
            String definition = TextFile.read(file);
            Applied applied = client.apply(client.validate(definition).name(), definition);
            all.add(applied);
            if (output.format() == Output.Format.TEXT) {
                String what = applied.created() ? "registered as version " : "unchanged, version ";
                page.line(applied.name() + ": " + what + applied.version());
            }
        }
        page.json(all);
        return 0;
    }
}
