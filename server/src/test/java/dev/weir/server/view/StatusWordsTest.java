package dev.weir.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.OpenApi;
import dev.weir.core.state.StepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.14")
class StatusWordsTest {
    @Test
    void the_documents_say_which_states_each_word_of_a_snapshot_stands_for() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "STATES.md"));
        for (String word : List.of("ready", "blocked", "complete", "error")) {
            List<String> states = Arrays.stream(StepState.values())
                    .filter(state -> RunViews.status(state).equals(word))
                    .map(WireWords::of)
                    .toList();
            assertThat(page)
                    .contains("| `" + word + "` | "
                            + states.stream().map(state -> "`" + state + "`").collect(Collectors.joining(", ")) + " |");
            assertThat(OpenApi.document()).contains(word + ": " + sentence(states));
        }
    }

    private static String sentence(List<String> states) {
        int last = states.size() - 1;
        return String.join(", ", states.subList(0, last)) + " or " + states.get(last);
    }
}
