package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link TextTidy}. The bad snippets are concatenated here, so that this file itself is tidy. */
class TextTidyTest {
    @Test
    void a_todo_marker_is_found() {
        assertThat(rules("x\n// TO" + "DO later")).containsExactly(Rule.MARKER);
        assertThat(rules("FIX" + "ME")).containsExactly(Rule.MARKER);
        assertThat(rules("what they todo is their business")).isEmpty();
    }

    @Test
    void a_path_of_one_machine_is_found() {
        for (var path : List.of("/wo" + "rk/main", "/ro" + "ot", "/ho" + "me/ann/x", "/Us" + "ers/ann")) {
            assertThat(rules("see " + path)).as(path).containsExactly(Rule.MACHINE_PATH);
            assertThat(rules("dir=\"" + path + "\"")).as(path).containsExactly(Rule.MACHINE_PATH);
        }
    }

    @Test
    void a_path_of_every_machine_is_accepted() {
        assertThat(rules("$HOME/.m2 and src/work/x, /usr/lib/jvm, /workflows/{name}, https://a.example/home/page"))
                .isEmpty();
    }

    @Test
    void a_registry_is_found_but_not_a_namespace() {
        assertThat(rules("https://repo1.ma" + "ven.org/maven2")).containsExactly(Rule.REGISTRY_HOST);
        assertThat(rules("registry.np" + "mjs.org")).containsExactly(Rule.REGISTRY_HOST);
        assertThat(rules("http://maven.apache.org/POM/4.0.0")).isEmpty();
    }

    @Test
    void a_link_to_nothing_is_found() {
        var readme = new Source("README.md", "[a](docs/a.md) [folder](docs) [web](https://a.example) [here](#part)");
        var page = new Source("docs/a.md", "[up](../README.md#status) [lost](lost.md)");
        assertThat(TextTidy.check(List.of(readme, page)))
                .singleElement()
                .asString()
                .contains("docs/a.md:1: no file 'docs/lost.md'");
    }

    @Test
    void a_finding_says_which_line_it_is_on() {
        assertThat(TextTidy.check(List.of(new Source("docs/a.md", "fine\nTO" + "DO"))))
                .singleElement()
                .asString()
                .startsWith("docs/a.md:2: found 'TO" + "DO'; do it now");
    }

    private static List<Rule> rules(String text) {
        return TextTidy.check(List.of(new Source("a.txt", text))).stream()
                .map(Finding::rule)
                .toList();
    }
}
