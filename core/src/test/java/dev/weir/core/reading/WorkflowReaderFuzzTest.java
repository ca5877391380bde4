package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;

/**
 * Reads mutated examples: the reader must either accept or refuse each of them. A failure names its seed. Replay it
 * with {@code -Dweir.fuzz.seed=<seed> -Dweir.fuzz.rounds=1}, and search further with more rounds.
 */
class WorkflowReaderFuzzTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long FIRST_SEED = Long.getLong("weir.fuzz.seed", 20_260_101L);
    private static final int ROUNDS = Integer.getInteger("weir.fuzz.rounds", 5_000);
    /** The CPU time that reading one text may take. Wall time would depend on what else the machine does. */
    private static final Duration CPU_TIME_MAX = Duration.ofSeconds(5);

    private static final List<String> TOKENS = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ": ",
            "- ",
            ",",
            "\"",
            "'",
            "|",
            ">",
            "&a ",
            "*a",
            "!!int ",
            "<<: ",
            "#",
            "\t",
            "\n",
            "\r\n",
            "\0",
            "\\u0000",
            "\u2028",
            "\uD83D",
            "é",
            "🚰",
            "${{",
            "}}",
            "${{ input.x }}",
            "${{ steps.a }}",
            "-1",
            "0",
            "1e999",
            "99999999999999999999",
            "null",
            "~",
            "true",
            "[[[[[[[[",
            "1ms",
            "P99999999999D",
            "100%",
            "..",
            "needs: [reserve]",
            "type: x",
            "steps:",
            "flowControl: ",
            "%YAML 1.1\n---\n",
            "---\n",
            "? ",
            "@",
            "`");

    @Test
    void a_mutated_definition_is_accepted_or_refused_and_nothing_else() {
        List<String> texts = Examples.workflows().stream().map(Examples::text).toList();
        int accepted = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            var random = new Random(seed);
            String text = mutated(random, texts);
            try {
                accepted += check(text) ? 1 : 0;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + " with the text:\n" + text, e);
            }
        }
        // A fuzzer whose texts are all refused at the first character would find nothing.
        assertThat(accepted).isBetween(ROUNDS / 50, ROUNDS - 1);
    }

    private static boolean check(String text) {
        long start = THREADS.getCurrentThreadCpuTime();
        ReadResult<Workflow> result = WorkflowReader.read(text);
        assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start)).isLessThan(CPU_TIME_MAX);
        return switch (result) {
            case ReadResult.Accepted<Workflow> accepted -> {
                String json = accepted.value().toJson().toString();
                assertThat(WorkflowReader.read(json).orThrow()).isEqualTo(accepted.value());
                yield true;
            }
            case ReadResult.Refused<Workflow> refused -> {
                assertThat(refused.problems()).isNotEmpty().hasSizeLessThanOrEqualTo(ProblemList.PROBLEMS_MAX);
                refused.problems().forEach(problem -> assertInside(text, problem));
                yield false;
            }
        };
    }

    private static void assertInside(String text, ReadProblem problem) {
        String[] lines = text.split("\r\n|[\n\r]", -1);
        assertThat(problem.position().line()).as(problem.toString()).isBetween(1, lines.length);
        int length = lines[problem.position().line() - 1].length();
        assertThat(problem.position().column()).as(problem.toString()).isBetween(1, length + 2);
        assertThat(problem.message()).isNotBlank();
    }

    private static String mutated(Random random, List<String> texts) {
        String text = texts.get(random.nextInt(texts.size()));
        int mutations = 1 + random.nextInt(4);
        for (int i = 0; i < mutations; i++) {
            text = random.nextBoolean() ? mutatedCharacters(random, text) : mutatedLines(random, text);
        }
        return text;
    }

    private static String mutatedCharacters(Random random, String text) {
        int at = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), at + random.nextInt(6));
        String token = TOKENS.get(random.nextInt(TOKENS.size()));
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, at) + text.substring(to);
            case 1 -> text.substring(0, at) + token + text.substring(at);
            case 2 -> text.substring(0, at) + token + text.substring(to);
            case 3 -> text.substring(0, at) + (char) random.nextInt(0x3000) + text.substring(at);
            default ->
                random.nextInt(8) == 0
                        ? text.substring(0, at)
                        : text.replaceFirst("[0-9]+", Matcher.quoteReplacement(token));
        };
    }

    private static String mutatedLines(Random random, String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        if (lines.isEmpty()) {
            return text;
        }
        int a = random.nextInt(lines.size());
        int b = random.nextInt(lines.size());
        switch (random.nextInt(4)) {
            case 0 -> lines.remove(a);
            case 1 -> lines.add(a, lines.get(b));
            case 2 -> Collections.swap(lines, a, b);
            default -> lines.set(a, "  ".repeat(random.nextInt(3)) + lines.get(a));
        }
        return String.join("\n", lines);
    }
}
