package dev.weir.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs code in a process of its own, so that the heap and the compiled code of earlier benchmarks do not affect it. */
public final class SeparateProcess {
    private SeparateProcess() {}

    /** Runs a benchmark, shows its progress, and returns its output. */
    static String run(List<String> arguments) throws IOException, InterruptedException {
        Process process = start(BenchMain.class, arguments);
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("expected figures of " + arguments.getFirst() + ", found exit code " + code
                    + "; what it said is above");
        }
        return printed;
    }

    /** Starts a class with the options of this process. The new process ends with this process at the latest. */
    public static Process start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dstdout.encoding=UTF-8");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var hook = new Thread(process::destroy, "end what was begun");
        Runtime.getRuntime().addShutdownHook(hook);
        var unused = process.onExit().thenRun(() -> removeHook(hook));
        return process;
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This process is shutting down.
        }
    }
}
