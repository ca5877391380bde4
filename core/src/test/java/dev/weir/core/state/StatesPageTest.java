package dev.weir.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.8")
class StatesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "STATES.md");

    @Test
    void the_page_of_states_says_what_the_code_allows() throws IOException {
        if (Boolean.getBoolean("states.write")) {
            Files.writeString(PAGE, StatesPage.text());
        }
        assertThat(Files.readString(PAGE)).isEqualTo(StatesPage.text());
    }
}
