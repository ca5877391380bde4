package dev.weir.cli;

import dev.weir.api.Invalid;
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

/** What is said, and which exit code is given, when a command could not do its work. */
final class Failures {
    /** The exit code of a bug in Weir, EX_SOFTWARE of sysexits. */
    static final int BUG = 70;

    private Failures() {}

    static int wrongArguments(ParameterException wrong, String[] args) {
        var command = wrong.getCommandLine();
        var err = command.getErr();
        err.println("weir: " + wrong.getMessage());
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    /** Tells the world's failures (a file that cannot be read) from Weir's own: only those are bugs. */
    static int failed(Exception failure, CommandLine command, boolean stacktrace) {
        var err = command.getErr();
        var io = failure instanceof UncheckedIOException unchecked ? unchecked.getCause() : failure;
        if (stacktrace) {
            failure.printStackTrace(err);
        }
        if (failure instanceof RequestFailed.Refused refused) {
            return refused(refused.problem(), command);
        }
        if (failure instanceof RequestFailed.Unreachable) {
            String name = command.getCommandSpec().root().name();
            err.println("weir: " + failure.getMessage() + "; to start a server: " + name + " up");
            return ExitCode.SOFTWARE;
        }
        if (failure instanceof Invalid) {
            err.println("weir: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        if (io instanceof IOException) {
            err.println("weir: " + (io instanceof NoSuchFileException ? "no such file: " : "") + io.getMessage());
            return ExitCode.SOFTWARE;
        }
        var hint = stacktrace ? "please report it" : "run it again with --stacktrace to see where, and report it";
        err.println("weir: this is a bug in Weir: " + failure + "; " + hint);
        return BUG;
    }

    /** What the server has against the value of an option is said of the option, and is a wrong argument. */
    private static int refused(Problem problem, CommandLine command) {
        List<Problem.Finding> findings = problem.errors() == null ? List.of() : problem.errors();
        String pointer = findings.size() == 1 ? Page.text(findings.get(0).pointer()) : "";
        String option = pointer.isEmpty() ? "" : "--" + pointer.substring(1); // of a parameter ?a, or a field /a
        boolean known = command.getCommandSpec().findOption(option) != null;
        String words = known ? option + ": " + findings.get(0).message() : problem.detail();
        command.getErr().println("weir: " + Page.plain(words));
        return known ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }
}
