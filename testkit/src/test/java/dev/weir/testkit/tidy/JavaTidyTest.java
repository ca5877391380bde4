package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link JavaTidy} on small sources. */
class JavaTidyTest {
    private static final String CLOSED = """
            enum Light { RED, GREEN; static final Light FIRST = RED; }
            sealed interface Shape { record Circle(int r) implements Shape {} record Square(int a) implements Shape {} }
            """;

    @Test
    void a_long_file_is_found() {
        assertThat(rules("class A {" + "\n".repeat(400) + "}")).containsExactly(Rule.FILE_LENGTH);
        assertThat(rules("class A {" + "\n".repeat(390) + "}")).isEmpty();
    }

    @Test
    void a_long_method_is_found_with_its_place_and_what_to_do() {
        var source = "package a;\nclass A {\n  void run() {" + "\n".repeat(60) + "}\n}";
        assertThat(check(new Source("core/src/main/java/a/A.java", source), info("core/src/main/java/a/")))
                .singleElement()
                .hasToString("core/src/main/java/a/A.java:3: run has 61 lines, at most 60 are allowed;"
                        + " name its parts and make them methods [METHOD_LENGTH]");
    }

    @Test
    void braces_in_strings_and_comments_do_not_count() {
        assertThat(rules("class A { void a() { var s = \"{\"; /* { */ } // {" + "\n".repeat(70) + "}"))
                .isEmpty();
    }

    @Test
    void a_sixth_parameter_is_found_save_in_a_record_and_where_it_is_inherited() {
        var six = "(int a, int b, int c, int d, int e, int f)";
        assertThat(rules("class A { void a" + six + " {} }")).containsExactly(Rule.PARAMETERS);
        assertThat(rules("class A { A" + six + " {} }")).containsExactly(Rule.PARAMETERS);
        assertThat(rules("record A" + six + " {}")).isEmpty();
        assertThat(rules("record A" + six + " { A {} }")).isEmpty();
        assertThat(rules("class A { @Override public void a" + six + " {} }")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LimitManager", "Utils", "RunServiceImpl", "BaseStep", "StepBase", "RunDTO", "WeirClient"})
    void a_name_that_says_nothing_is_found(String name) {
        assertThat(rules("final class " + name + " {}")).containsExactly(Rule.TYPE_NAME);
        assertThat(rules("class A { record " + name + "() {} }")).containsExactly(Rule.TYPE_NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Weir", "Database", "Basement", "Implication", "Limits"})
    void a_name_that_only_contains_a_forbidden_word_is_accepted(String name) {
        assertThat(rules("final class " + name + " {}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev.weir.util", "dev.weir.common.limits", "dev.weir.model", "dev.weir.core.impl"})
    void a_package_without_a_topic_is_found(String name) {
        assertThat(check(new Source("src/main/java/package-info.java", "/** It. */ @NullMarked package " + name + ";")))
                .extracting(Finding::rule)
                .containsExactly(Rule.PACKAGE_NAME);
    }

    @Test
    void a_package_without_its_sentence_is_found() {
        assertThat(check(new Source("core/src/main/java/a/A.java", "package a; class A {}")))
                .extracting(Finding::rule)
                .containsExactly(Rule.PACKAGE_INFO);
        var path = "core/src/main/java/a/package-info.java";
        for (var bad : List.of(
                "@NullMarked package a;",
                "/** No full stop */ @NullMarked package a;",
                "/** One. Two. */ @NullMarked package a;",
                "/** Not marked. */ package a;")) {
            assertThat(check(new Source(path, bad)))
                    .as(bad)
                    .extracting(Finding::rule)
                    .containsExactly(Rule.PACKAGE_INFO);
        }
    }

    @Test
    void an_example_of_one_file_needs_no_package() {
        assertThat(check(new Source("examples/java/A.java", "class A {}"))).isEmpty();
        assertThat(check(new Source("examples/java/a/A.java", "package a; class A {}")))
                .extracting(Finding::rule)
                .containsExactly(Rule.PACKAGE_INFO);
    }

    @Test
    void a_test_shares_the_package_of_its_maven_module_but_not_that_of_another() {
        var test = new Source("core/src/test/java/a/ATest.java", "package a; class ATest {}");
        assertThat(check(test, info("core/src/main/java/a/"))).isEmpty();
        assertThat(check(test, info("cli/src/main/java/a/")))
                .extracting(Finding::rule)
                .containsExactly(Rule.PACKAGE_INFO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "switch (x) { case RED -> 1; default -> 2; }",
                "switch (x) { case Light.RED: yield 1; default: yield 2; }",
                "switch (x) { case RED -> 1; case null, default -> 2; }",
                "switch (x) { case Shape.Circle c -> 1; default -> 2; }",
                "switch (x) { case Circle(int r) when r > 1 -> 1; default -> 2; }"
            })
    void a_default_over_a_closed_set_is_found(String expression) {
        assertThat(rules(CLOSED + "class A { int a = " + expression + "; }")).containsExactly(Rule.OPEN_SWITCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "switch (x) { case RED -> 1; case GREEN -> 2; }",
                "switch (x) { case Shape.Circle c -> 1; case Shape.Square s -> 2; }",
                "switch (x) { case \"RED\" -> 1; default -> 2; }",
                "switch (x) { case 1, 2 -> 1; default -> 2; }",
                "switch (x) { case BLUE -> 1; default -> 2; }",
                "switch (x) { case FIRST, RED, BLUE -> 1; default -> 2; }",
                "switch (x) { case String s -> 1; case Shape s -> 3; default -> 2; }"
            })
    void a_default_over_an_open_set_is_accepted(String expression) {
        assertThat(rules(CLOSED + "class A { int a = " + expression + "; }")).isEmpty();
    }

    @Test
    void a_test_that_sleeps_is_found() {
        for (var call : List.of("Thread.sleep(1)", "TimeUnit.SECONDS.sleep(1)", "LockSupport.parkNanos(1)")) {
            var source = "class A { void a() { " + call + "; } }";
            assertThat(check(
                            new Source("core/src/test/java/a/A.java", "package a; " + source),
                            info("core/src/main/java/a/")))
                    .as(call)
                    .extracting(Finding::rule)
                    .containsExactly(Rule.SLEEP);
            assertThat(rules(source)).as(call).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"testClaim", "claims", "two_words", "Claims_are_Kept"})
    void a_test_whose_name_is_no_sentence_is_found(String name) {
        assertThat(rules("class A { @Test void " + name + "() {} }")).containsExactly(Rule.TEST_NAME);
        assertThat(rules("class A { @ParameterizedTest void " + name + "(int a) {} }"))
                .containsExactly(Rule.TEST_NAME);
        assertThat(rules("class A { void " + name + "() {} }")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a_claim_is_kept", "R2_4_nothing_is_claimed_twice"})
    void a_test_whose_name_is_a_sentence_is_tidy(String name) {
        assertThat(rules("class A { @Test void " + name + "() {} }")).isEmpty();
    }

    @Test
    void a_file_that_is_not_java_is_found() {
        assertThat(rules("class A {")).contains(Rule.UNREADABLE);
    }

    private static List<Rule> rules(String code) {
        return check(new Source("core/src/main/java/a/A.java", "package a;\n" + code), info("core/src/main/java/a/"))
                .stream()
                .map(Finding::rule)
                .toList();
    }

    private static List<Finding> check(Source... sources) {
        return new ArrayList<>(JavaTidy.check(List.of(sources)));
    }

    private static Source info(String folder) {
        return new Source(folder + "package-info.java", "/** What it is. */ @NullMarked package a;");
    }
}
