package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.core.definition.DefinitionBounds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HostileInputTest {
    private static final Duration CPU_TIME_MAX = Duration.ofMillis(100);
    private static final int MEASUREMENTS = 10;
    private static final long MEMORY_MAX = 64L * 1024 * 1024;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    void hostile_input_is_refused_at_once(String name, String text, String message) {
        assertThat(ReadProblems.of(text))
                .extracting(ReadProblem::message)
                .first()
                .asString()
                .contains(message);
        assertThat(shortestCpuTime(text)).isLessThan(CPU_TIME_MAX);
    }

    static Stream<Arguments> bombs() {
        return Stream.of(
                Arguments.of("aliases of aliases", nestedAliases(), "expected at most"),
                Arguments.of("many aliases", "a: &a 1\nb: [" + "*a, ".repeat(5_000) + "*a]", "at most 100 aliases"),
                Arguments.of("deep YAML flow", "workflow: " + "[".repeat(100_000), "at most 64 levels"),
                Arguments.of("deep YAML block", "workflow:\n" + deepBlock(), "at most 64 levels"),
                Arguments.of("deep JSON", "{\"workflow\": " + "[".repeat(100_000), "at most 64 levels"),
                Arguments.of("deep JSON objects", "{\"a\":".repeat(40_000), "at most 64 levels"),
                Arguments.of("too long", "workflow: " + "x".repeat(300_000), "at most 262144 bytes"),
                Arguments.of("too many values", "workflow: [" + "1,".repeat(100_000) + "1]", "at most 20000 values"),
                Arguments.of("duplicate YAML name", "workflow: a\nworkflow: b", "found 'workflow' twice"),
                Arguments.of("duplicate JSON name", "{\"workflow\": \"a\", \"workflow\": \"b\"}", "'workflow' twice"),
                Arguments.of("a long YAML name", "workflow: a\n" + "x".repeat(257) + ": 1", "at most 256 characters"),
                Arguments.of("a long JSON name", "{\"" + "x".repeat(257) + "\": 1}", "at most 256 characters"),
                Arguments.of("long names in YAML", longNames("", 50_000, 4), "at most 256 characters"),
                Arguments.of("long names in JSON", longNames("\"", 50_000, 4), "at most 256 characters"),
                Arguments.of("zero in YAML", "workflow: \"a\\0b\"", "U+0000"),
                Arguments.of("zero in JSON", "{\"workflow\": \"a\\u0000b\"}", "U+0000"),
                Arguments.of("half a pair in YAML", "workflow: \"a\\ud800\"", "half a surrogate pair"),
                Arguments.of("half a pair in JSON", "{\"workflow\": \"a\\ud800\"}", "half a surrogate pair"),
                Arguments.of(
                        "a large exponent",
                        "workflow: a\nsteps: [{id: a, uses: m, slots: 1e308}]",
                        "numbers with smaller exponents"),
                Arguments.of("zero itself", "workflow: a\0b", "expected YAML"),
                Arguments.of("a tag", "workflow: !!java.net.URL [x]", "without a tag"),
                Arguments.of("a merge key", "a: &a { b: 1 }\nc: { <<: *a }", "merge key"),
                Arguments.of("an anchor inside itself", "a: &a [*a]", "expected an anchor before its alias"),
                Arguments.of("two documents", "workflow: a\n---\nworkflow: b", "expected one YAML document"),
                Arguments.of("no finite number", "workflow: .inf", "a number that JSON can represent"),
                Arguments.of("a huge number", "workflow: 1" + "0".repeat(5_000), "a number of at most 100 digits"),
                Arguments.of("a huge exponent", "{\"workflow\": 1e999}", "a number in the range of a double"),
                Arguments.of("many expressions", expressions(), "at most 2000 expressions"),
                Arguments.of("expressions by aliases", aliased("${{ true }}", 50, 50), "at most 2000 expressions"),
                Arguments.of("large texts by aliases", aliased("x".repeat(5_000), 1, 60), "at most 262144 bytes"),
                Arguments.of("unclosed", "workflow: \"a", "expected YAML"),
                Arguments.of(
                        "a comma too many",
                        "{\"workflow\": \"a\",}",
                        "expected JSON, because the text begins like JSON"));
    }

    @Test
    void many_values_far_within_take_little_more_than_their_text() {
        assertThat(allocatedByReading("", 200, 60)).isLessThan(MEMORY_MAX);
        assertThat(allocatedByReading("\"", 200, 60)).isLessThan(MEMORY_MAX);
        // A stored definition may have names of any length.
        String json = longNames("\"", 50_000, 4);
        assertThat(allocated(() -> SourceDocument.readStored(json))).isLessThan(MEMORY_MAX);
    }

    private static long allocatedByReading(String quote, int chars, int levels) {
        String text = longNames(quote, chars, levels);
        return allocated(() -> SourceDocument.read(text));
    }

    /** Returns the bytes that reading a document allocates. */
    private static long allocated(Callable<SourceDocument> reading) {
        var threads = (com.sun.management.ThreadMXBean) THREADS;
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatCode(reading::call).doesNotThrowAnyException();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Returns nested objects with a list of many values in the innermost. */
    private static String longNames(String quote, int chars, int levels) {
        String name = quote + "x".repeat(chars) + quote;
        int values = (DefinitionBounds.DEFINITION_BYTES_MAX - 10_000 - chars * levels) / 2;
        String list = "[" + "1,".repeat(Math.min(values, 19_000)) + "1]";
        return ("{" + name + ": ").repeat(levels) + list + "}".repeat(levels);
    }

    private static String nestedAliases() {
        var text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            String before = "*a" + (i - 1);
            text.append("a" + i + ": &a" + i + " [" + (before + ", ").repeat(8) + before + "]\n");
        }
        return text.toString();
    }

    private static String deepBlock() {
        return IntStream.range(1, 600)
                .mapToObj(depth -> " ".repeat(depth) + "a:\n")
                .collect(Collectors.joining());
    }

    private static String expressions() {
        return "workflow: w\nsteps:\n"
                + IntStream.range(0, 2_001)
                        .mapToObj(i -> "- {id: s" + i + ", uses: m, if: '${{ true }}'}\n")
                        .collect(Collectors.joining());
    }

    /** Returns a workflow in which many steps share a list of equal texts. */
    private static String aliased(String text, int texts, int steps) {
        return "workflow: w\nsteps:\n- {id: s, uses: m, with: {list: &list ["
                + ("\"" + text + "\",").repeat(texts)
                + "]}}\n"
                + IntStream.range(0, steps)
                        .mapToObj(i -> "- {id: s" + i + ", uses: m, with: {list: *list}}\n")
                        .collect(Collectors.joining());
    }

    /** Returns the shortest CPU time of several measurements, so that other busy programs do not matter. */
    private static Duration shortestCpuTime(String text) {
        return IntStream.range(0, MEASUREMENTS)
                .mapToObj(i -> {
                    long start = THREADS.getCurrentThreadCpuTime();
                    WorkflowReader.read(text);
                    return Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start);
                })
                .min(Duration::compareTo)
                .orElseThrow();
    }
}
