package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the blocks of docs/WORKERS.md one after the other, and compares the responses with those on the page. */
class WorkersPageEndToEndTest {
    private static final Path PAGE = Path.of("..", "docs", "WORKERS.md");
    private static final Pattern BLOCK = Pattern.compile("```(sh|json)\n(.*?)```", Pattern.DOTALL);
    /** Fields whose values differ each time. */
    private static final Set<String> DIFFERENT = Set.of("remaining_ms");

    /** The node's fences, by the numbers that the page has for them. */
    private final Map<String, String> fences = new LinkedHashMap<>();

    /**
     * A request and the response that the page shows.
     *
     * @param response the expected response; empty = none is shown
     */
    private record Example(String command, String response) {}

    @Test
    @Tag("R2.12")
    void every_request_on_the_page_of_workers_gets_the_response_that_is_shown() throws Exception {
        RunningNode node = RunningNode.shared();
        List<Example> examples = examples(Files.readString(PAGE));
        assertThat(examples).hasSizeGreaterThan(5);
        for (Example example : examples) {
            String got = run(example.command, node);
            if (!example.response.isEmpty()) {
                JsonNode said = JsonMapper.shared().readTree(example.response);
                JsonNode found = JsonMapper.shared().readTree(got);
                assertThat(has(found, said))
                        .as("%s\nis shown as %s\nand gives %s", example.command, said, found)
                        .isTrue();
            }
        }
        assertThat(node.client.run("greet-1").state()).isEqualTo("completed");
    }

    private static List<Example> examples(String page) {
        List<Example> examples = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(1).equals("sh")) {
                examples.add(new Example(block.group(2), ""));
            } else {
                examples.add(new Example(examples.removeLast().command, block.group(2)));
            }
        }
        return examples;
    }

    private String run(String command, RunningNode node) throws IOException, InterruptedException {
        String known = command;
        for (var fence : fences.entrySet()) {
            known = known.replace("\"fence\": " + fence.getKey() + "}", "\"fence\": " + fence.getValue() + "}")
                    .replace("\"fence\": " + fence.getKey() + ",", "\"fence\": " + fence.getValue() + ",");
        }
        var builder = new ProcessBuilder("sh", "-ec", known).redirectErrorStream(true);
        builder.environment().put("WEIR_URL", node.connection().url().toString());
        builder.environment().put("WEIR_TOKEN", node.connection().token());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** Returns true if the response has everything that the page shows. */
    private boolean has(JsonNode found, JsonNode said) {
        if (said.isObject()) {
            return said.propertyNames().stream()
                    .allMatch(name -> found.has(name) && hasField(name, found.get(name), said.get(name)));
        }
        if (said.isArray()) {
            return found.size() == said.size()
                    && IntStream.range(0, said.size()).allMatch(i -> has(found.get(i), said.get(i)));
        }
        return found.equals(said);
    }

    private boolean hasField(String name, JsonNode found, JsonNode said) {
        if (name.equals("fence")) {
            return found.toString().equals(fences.computeIfAbsent(said.toString(), known -> found.toString()));
        }
        return DIFFERENT.contains(name) || has(found, said);
    }
}
