package dev.weir.cli;

import dev.weir.api.InvalidValue;
import dev.weir.api.Problem;
import dev.weir.client.RequestFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints the failure of a command and returns the exit code. */
final class CommandFailures {
    /** The exit code of a bug in Weir, EX_SOFTWARE of sysexits. */
    static final int EXIT_BUG = 70;

    private CommandFailures() {}

    static int handleInvalidArguments(ParameterException wrong, String[] args) {
        var command = wrong.getCommandLine();
        var err = TerminalWriter.err(command);
        err.println("weir: " + wrong.getMessage());
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Run `" + command.getCommandSpec().qualifiedName() + " --help` for usage.");
        return ExitCode.USAGE;
    }

    /** Distinguishes failures of the environment, such as an unreadable file, from bugs in Weir. */
    static int handleFailure(Exception failure, CommandLine command, boolean stacktrace) {
        var err = TerminalWriter.err(command);
        var io = failure instanceof UncheckedIOException unchecked ? unchecked.getCause() : failure;
        if (stacktrace) {
            failure.printStackTrace(err);
        }
        if (failure instanceof RequestFailed.Refused refused) {
            return printRefusal(refused.problem(), command);
        }
        if (failure instanceof RequestFailed.Unreachable) {
            String name = command.getCommandSpec().root().name();
            err.println("weir: " + failure.getMessage() + ". Start a server with `" + name + " up`.");
            return ExitCode.SOFTWARE;
        }
        if (failure instanceof InvalidValue) {
            err.println("weir: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        if (io instanceof IOException) {
            err.println("weir: " + (io instanceof NoSuchFileException ? "file not found: " : "") + io.getMessage());
            return ExitCode.SOFTWARE;
        }
        var hint = stacktrace
                ? "Please report it with the stack trace."
                : "Run the command again with --stacktrace, and report the output.";
        err.println("weir: this is a bug in Weir: " + failure + ". " + hint);
        return EXIT_BUG;
    }

    /**
     * Prints a refusal of the server. If it concerns the value of an option, the message names the option, and the
     * exit code is that of a wrong argument.
     */
    private static int printRefusal(Problem problem, CommandLine command) {
        List<Problem.Finding> findings = problem.errors() == null ? List.of() : problem.errors();
        String pointer =
                findings.size() == 1 ? ResultPrinter.textOrEmpty(findings.get(0).pointer()) : "";
        String option = pointer.isEmpty() ? "" : "--" + pointer.substring(1); // ?a for a parameter, /a for a field
        boolean isOption = command.getCommandSpec().findOption(option) != null;
        String message = isOption
                ? option + ": " + findings.get(0).message()
                : problem.detail()
                        + suggestion(problem, command.getCommandSpec().root().name());
        TerminalWriter.err(command).println("weir: " + ResultPrinter.toPlainLine(message));
        return isOption ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }

    /** Returns the command that helps if something was not found, as the end of the message. */
    private static String suggestion(Problem problem, String name) {
        if (problem.status() != Problem.Kind.NOT_FOUND.status()) {
            return "";
        }
        return switch (problem.detail().replaceFirst(" .*", "")) {
            case "run" -> ". List runs with `" + name + " runs`.";
            case "step", "item" -> ". List the steps of a run with `" + name + " steps RUN`.";
            case "workflow" -> ". Register a workflow with `" + name + " apply FILE`.";
            case "key" -> ". List keys with `" + name + " keys`.";
            case "token" -> ". List tokens with `" + name + " tokens list`.";
            default -> "";
        };
    }
}
