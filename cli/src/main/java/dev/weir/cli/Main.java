package dev.weir.cli;

import java.util.regex.Matcher;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The entry point of the {@code weir} command. A new subcommand is a class of its own and one line in {@code
 * subcommands}. It inherits {@code --help} and {@code --stacktrace}, and its footer must give an example.
 */
@Command(
        name = "weir",
        description = "A durable workflow engine with flow control.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = VersionText.class,
        subcommands = {
            UpCommand.class,
            ConsoleCommand.class,
            ApplyCommand.class,
            StartCommand.class,
            TriggerCommand.class,
            EventCommands.class,
            SchedulesCommand.class,
            RunsCommand.class,
            StepsCommand.class,
            RefusedStartsCommand.class,
            WhyCommand.class,
            TimeCommand.class,
            WaitCommand.class,
            LogsCommand.class,
            KeyCommands.class,
            ModulesCommand.class,
            WorkersCommand.class,
            LimitsCommand.class,
            WhatIfCommand.class,
            OrganisationStateCommands.class,
            BulkCommand.class,
            DeadLetterCommands.class,
            NoticesCommand.class,
            WorkCommand.class,
            ClaimCommand.class,
            UpdateCommand.class,
            RunCommands.Cancel.class,
            RunCommands.Pause.class,
            RunCommands.Resume.class,
            RunCommands.Signal.class,
            RunCommands.Extend.class,
            RunCommands.OverrideLimits.class,
            StepCommands.Approve.class,
            StepCommands.Revoke.class,
            StepCommands.Skip.class,
            RunStepCommand.class,
            StepCommands.Provide.class,
            StepCommands.Abandon.class,
            AmendCommands.class,
            RetryCommand.class,
            WorkflowCommands.class,
            OrganisationCommands.class,
            DeletionCommands.OfRun.class,
            DeletionCommands.ListAll.class,
            TokenCommands.class,
            SecretCommands.class,
            AuditCommands.class,
            SimulateCommand.class,
        },
        footer = {
            "",
            "Examples:",
            "  weir up --demo",
            "  weir simulate examples/order.yaml",
            "",
            "In a source checkout, ./weir bench runs the benchmarks.",
            "",
            "Exit codes: 0 success, 1 refused or failed, 2 wrong arguments, 70 a bug in Weir."
        })
@SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli writes the annotated fields, and reads two of them
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version of Weir and of Java.")
    private boolean version;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "If Weir itself fails, print the stack trace for a bug report.")
    private boolean stacktrace;

    private Main() {}

    public static void main(String[] args) {
        String invokedAs = System.getProperty("weir.command");
        System.exit((invokedAs == null ? commandLine() : commandLine(invokedAs)).execute(args));
    }

    /** Returns the command under another name, so that users can type the commands in its help as they are printed. */
    static CommandLine commandLine(String invokedAs) {
        String name = ShellWord.quoteIfNeeded(invokedAs);
        CommandLine command = commandLine().setCommandName(name);
        rename(command, name);
        return command;
    }

    private static void rename(CommandLine command, String name) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.footer(Stream.of(usage.footer())
                .map(line -> line.replace("./weir ", name + " ")
                        .replaceFirst("^ {2}weir ", Matcher.quoteReplacement("  " + name + " ")))
                .toArray(String[]::new));
        command.getSubcommands().values().forEach(each -> rename(each, name));
    }

    /** Returns the command with all its subcommands, ready to execute. Tests set their own writers. */
    public static CommandLine commandLine() {
        var main = new Main();
        return new CommandLine(main)
                .setExpandAtFiles(false) // @FILE is a value of options, not more arguments
                .setParameterExceptionHandler(CommandFailures::handleInvalidArguments)
                .setExecutionExceptionHandler(
                        (failure, command, parsed) -> CommandFailures.handleFailure(failure, command, main.stacktrace));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
