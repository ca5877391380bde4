package dev.weir.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.5")
class WorkflowPageTest {
    private static final Path PAGE = Path.of("..", "docs", "WORKFLOWS.md");
    private static final Pattern SNIPPET = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_page_of_the_definition_file_says_what_the_schema_says() throws IOException {
        if (Boolean.getBoolean("workflow.page.write")) {
            Files.writeString(PAGE, WorkflowPage.text());
        }
        assertThat(Files.readString(PAGE)).isEqualTo(WorkflowPage.text());
    }

    @Test
    void workflows_shown_in_the_user_docs_can_be_read() throws IOException {
        for (Path page : new Path[] {PAGE, Path.of("..", "README.md")}) {
            var snippets = SNIPPET.matcher(Files.readString(page))
                    .results()
                    .map(snippet -> snippet.group(1))
                    .filter(snippet -> snippet.startsWith("workflow:"))
                    .toList();
            assertThat(snippets).as(page.toString()).isNotEmpty();
            assertThat(snippets)
                    .allSatisfy(snippet -> WorkflowReader.read(snippet).orThrow());
        }
    }
}
