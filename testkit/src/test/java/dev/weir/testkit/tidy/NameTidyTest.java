package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link NameTidy} on small pages. */
class NameTidyTest {
    private static final Source CODE =
            new Source("engine/src/main/java/dev/weir/engine/shard/Shard.java", "class Shard { long runOnce() {} }");

    @Test
    void a_class_and_a_method_that_are_not_there_are_found() {
        assertThat(found("`Shard` turns `Shard.runOnce`, with `JSON` and a `HashMap`"))
                .isEmpty();
        assertThat(found("`Shart`")).containsExactly("docs/ARCHITECTURE.md:1: no `Shart` in the code");
        assertThat(found("\n`Shard.runTwice`"))
                .containsExactly("docs/ARCHITECTURE.md:2: no `Shard.runTwice` in the code");
    }

    @Test
    void a_folder_that_is_not_there_is_found() {
        assertThat(found("`engine/…/shard`, `engine/…/shard/Shard`, `engine/…/Shard.runOnce`"))
                .isEmpty();
        assertThat(found("`core/…/shard`")).containsExactly("docs/ARCHITECTURE.md:1: no `core/…/shard` in the code");
        assertThat(found("`engine/…/shart`"))
                .containsExactly("docs/ARCHITECTURE.md:1: no `engine/…/shart` in the code");
    }

    @Test
    void other_pages_may_speak_of_what_once_was() {
        assertThat(NameTidy.check(List.of(CODE, new Source("docs/DECISIONS.md", "`Gone`"))))
                .isEmpty();
    }

    @Test
    void two_classes_of_one_simple_name_are_found() {
        var other = new Source("cli/src/main/java/dev/weir/cli/Shard.java", "class Shard {}");
        var test = new Source("cli/src/test/java/dev/weir/cli/Shard.java", "class Shard {}");
        assertThat(NameTidy.check(List.of(CODE, test))).isEmpty();
        assertThat(NameTidy.check(List.of(CODE, other)))
                .extracting(Finding::rule, Finding::file)
                .containsExactly(tuple(Rule.REPEATED_NAME, other.file()));
    }

    private static List<String> found(String text) {
        return NameTidy.check(List.of(CODE, new Source("docs/ARCHITECTURE.md", text))).stream()
                .map(finding -> finding.toString().replaceAll(";.*", ""))
                .toList();
    }
}
