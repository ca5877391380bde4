package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the glossary is short and sorted, and that each of its words names a class that a reader can open. */
class GlossaryTest {
    private static final int WORDS_MAX = 40;
    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW = Pattern.compile("^\\| (?!word \\|).*$", Pattern.MULTILINE);

    /** A word, its meaning, and the class that represents it. */
    private static final Pattern ENTRY =
            Pattern.compile("^\\| \\*\\*([a-z][a-z -]*)\\*\\* \\| [^|]+ \\| `(\\w+)` \\|$", Pattern.MULTILINE);

    private record Entry(String word, String type) {}

    @Test
    void every_row_has_a_word_a_meaning_and_a_class() throws IOException {
        var rows = ROW.matcher(read("docs/GLOSSARY.md")).results().toList();
        assertThat(rows).isNotEmpty();
        assertThat(rows)
                .allSatisfy(row -> assertThat(ENTRY.matcher(row.group()).matches())
                        .as("%s", row.group())
                        .isTrue());
    }

    @Test
    void it_has_at_most_forty_words() throws IOException {
        assertThat(entries()).hasSizeLessThanOrEqualTo(WORDS_MAX);
    }

    @Test
    void words_are_sorted_and_each_has_one_entry() throws IOException {
        var words = entries().stream().map(Entry::word).toList();
        assertThat(words).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void each_class_exists_exactly_once_in_the_main_sources() throws IOException {
        var files = Source.below(ROOT.toRealPath()).stream()
                .map(Source::file)
                .filter(file -> file.contains("/src/main/java/"))
                .toList();
        for (Entry entry : entries()) {
            assertThat(files)
                    .filteredOn(file -> file.endsWith("/" + entry.type() + ".java"))
                    .as("%s", entry)
                    .hasSize(1);
        }
    }

    @Test
    void the_readme_or_the_architecture_page_links_to_the_glossary() throws IOException {
        assertThat(read("README.md") + read("docs/ARCHITECTURE.md")).contains("GLOSSARY.md)");
    }

    private static List<Entry> entries() throws IOException {
        return ENTRY.matcher(read("docs/GLOSSARY.md"))
                .results()
                .map(found -> new Entry(found.group(1), found.group(2)))
                .toList();
    }

    private static String read(String page) throws IOException {
        return Files.readString(ROOT.resolve(page));
    }
}
