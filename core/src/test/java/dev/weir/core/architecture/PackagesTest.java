package dev.weir.core.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies between core's packages: {@code limit ← admission}, {@code expression ← definition ←
 * reading}, and on top of both {@code plan ← state ← command ← run ← explain}. So flow control can be read, tested and
 * measured without knowledge of workflow files.
 */
class PackagesTest {
    private static final String CORE = "dev.weir.core.";

    /** Each package with the packages on which it may depend. {@code json} and {@code naming} depend on none. */
    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            entry("heap"),
            entry("limit"),
            entry("admission", "heap", "limit"),
            entry("json"),
            entry("naming"),
            entry("expression", "json", "naming"),
            entry("definition", "expression", "json", "naming"),
            entry("reading", "definition", "expression", "json", "naming"),
            entry("plan", "limit", "admission", "definition", "expression", "json"),
            entry("state", "limit", "admission", "definition", "expression", "json", "plan"),
            entry("command", "limit", "admission", "definition", "expression", "json", "plan", "state"),
            entry(
                    "run",
                    "heap",
                    "limit",
                    "admission",
                    "definition",
                    "expression",
                    "json",
                    "naming",
                    "plan",
                    "state",
                    "command"),
            entry("explain", "limit", "admission", "definition", "plan", "state", "run"));

    /** The classes that must be open to subclasses, by full name. */
    private static final Set<String> OPEN = Set.of();

    private static final JavaClasses CLASSES =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("dev.weir.core");

    @Test
    void packages_know_only_those_that_they_may_know() {
        knowOnly(MAY_KNOW).check(CLASSES);
    }

    @Test
    void packages_are_free_of_cycles() {
        slices().matching("dev.weir.core.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void a_class_is_final_unless_it_has_to_be_open() {
        closed().check(CLASSES);
    }

    @Test
    void a_package_that_knows_one_that_it_may_not_is_refused() {
        var definition = CLASSES.that(resideInAPackage(CORE + "definition"));
        assertThat(knowOnly(Map.of("definition", Set.of()))
                        .evaluate(definition)
                        .getFailureReport()
                        .toString())
                .contains("definition may not know expression");
    }

    @Test
    void a_package_that_is_not_listed_is_refused() {
        var unlisted = new ClassFileImporter().importClasses(PackagesTest.class);
        assertThat(knowOnly(MAY_KNOW).evaluate(unlisted).getFailureReport().toString())
                .contains("architecture is not listed", "MAY_KNOW");
    }

    @Test
    void an_open_class_is_refused() {
        var open = new ClassFileImporter().importClasses(Open.class, Closed.class, Known.class);
        assertThat(closed().evaluate(open).getFailureReport().getDetails())
                .singleElement()
                .asString()
                .contains("PackagesTest$Open");
    }

    private static Map.Entry<String, Set<String>> entry(String topic, String... known) {
        return Map.entry(topic, Set.of(known));
    }

    private static ArchRule knowOnly(Map<String, Set<String>> mayKnow) {
        return classes()
                .that()
                .doNotHaveSimpleName("package-info")
                .should(new ArchCondition<JavaClass>("know only the packages that theirs may know") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        var from = topic(type);
                        if (!mayKnow.containsKey(from)) {
                            events.add(SimpleConditionEvent.violated(
                                    type,
                                    type.getName() + ": " + from
                                            + " is not listed; add it to MAY_KNOW of PackagesTest"));
                            return;
                        }
                        for (var dependency : type.getDirectDependenciesFromSelf()) {
                            var target = dependency.getTargetClass().getBaseComponentType();
                            if (target.getName().startsWith(CORE)
                                    && !topic(target).equals(from)
                                    && !mayKnow.getOrDefault(from, Set.of()).contains(topic(target))) {
                                events.add(SimpleConditionEvent.violated(
                                        type,
                                        from + " may not know " + topic(target) + ": " + dependency.getDescription()));
                            }
                        }
                    }
                });
    }

    private static String topic(JavaClass type) {
        var rest = type.getName().substring(CORE.length());
        var dot = rest.indexOf('.');
        return dot < 0 ? "" : rest.substring(0, dot);
    }

    private static ArchRule closed() {
        return classes().should(new ArchCondition<JavaClass>("be final, abstract or sealed") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                var modifiers = type.reflect().getModifiers();
                var closed = Modifier.isFinal(modifiers)
                        || Modifier.isAbstract(modifiers)
                        || type.isEnum()
                        || type.isAnonymousClass()
                        || type.reflect().isSealed();
                if (!closed && !OPEN.contains(type.getName())) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " is open: make it final, or name it in OPEN of PackagesTest"));
                }
            }
        });
    }

    static class Open {}

    static final class Closed {}

    sealed interface Known permits Known.One {
        record One() implements Known {}
    }
}
