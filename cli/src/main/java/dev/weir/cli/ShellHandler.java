package dev.weir.cli;

import dev.weir.client.Handler;
import dev.weir.client.Job;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Runs a program for each step. */
final class ShellHandler implements Handler.WithoutInput {
    /** The exit code of a failure that a retry cannot fix, EX_DATAERR of sysexits. */
    static final int PERMANENT_FAILURE_EXIT_CODE = 65;

    private static final int OUTPUT_BYTES_MAX = 256 * 1024;
    private static final int REASON_CHARS_MAX = 8 * 1024;
    private static final int LOG_BUFFER_CHARS = 8 * 1024;

    private final String command;

    ShellHandler(String command) {
        this.command = command;
    }

    @Override
    public @Nullable JsonNode handle(Job job) throws Exception {
        var builder = new ProcessBuilder("/bin/sh", "-c", command);
        builder.environment().putAll(environment(job));
        Process process = builder.start();
        try {
            var out = readBytes(process.getInputStream(), OUTPUT_BYTES_MAX + 1);
            var err = logStream(process.getErrorStream(), job);
            writeInput(process, job.input(JsonNode.class).toString());
            int code = process.waitFor();
            String reason = err.get().strip();
            if (code == PERMANENT_FAILURE_EXIT_CODE) {
                throw new Handler.Permanent(reason.isEmpty() ? "exit code " + code : reason);
            }
            if (code != 0) {
                throw new Handler.Failed("exit code " + code + (reason.isEmpty() ? "" : ": " + reason));
            }
            return output(out.get());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Map<String, String> environment(Job job) {
        return Map.of(
                "WEIR_RUN", job.run(),
                "WEIR_STEP", job.step(),
                "WEIR_ITEM", job.item().map(String::valueOf).orElse(""),
                "WEIR_MODULE", job.module(),
                "WEIR_ATTEMPT", String.valueOf(job.attempt()),
                "WEIR_EFFECT_NUMBER", String.valueOf(job.effectNumber()),
                "WEIR_FENCE", String.valueOf(job.fence()));
    }

    /** Writes the input to the program. A program need not read its input, so a failure to write is ignored. */
    private static void writeInput(Process process, String input) {
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The program has closed its standard input or ended; its exit code gives the result.
        }
    }

    /** Reads the first bytes of a stream, and skips the rest so that the program can end. */
    private static CompletableFuture<byte[]> readBytes(InputStream stream, int maxBytes) {
        var result = new CompletableFuture<byte[]>();
        Thread.ofVirtual().start(() -> {
            try (stream) {
                byte[] bytes = stream.readNBytes(maxBytes);
                stream.transferTo(java.io.OutputStream.nullOutputStream());
                result.complete(bytes);
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Logs the program's output as soon as it arrives. Returns the beginning of it, as the reason of a failure. */
    private static CompletableFuture<String> logStream(InputStream stream, Job job) {
        var result = new CompletableFuture<String>();
        Thread.ofVirtual().start(() -> {
            var beginning = new StringBuilder();
            // Bytes that are not UTF-8 are replaced.
            try (var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
                char[] buffer = new char[LOG_BUFFER_CHARS];
                for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                    job.logText(new String(buffer, 0, n));
                    beginning.append(buffer, 0, Math.min(n, REASON_CHARS_MAX - beginning.length()));
                }
                result.complete(beginning.toString());
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static @Nullable JsonNode output(byte[] bytes) {
        if (bytes.length > OUTPUT_BYTES_MAX) {
            throw new Handler.Permanent("expected at most " + OUTPUT_BYTES_MAX + " bytes of output, found more");
        }
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            return null;
        }
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.stringNode(text);
        }
    }
}
