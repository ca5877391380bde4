package dev.weir.forecast;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks that a forecast depends only on its scenario: it reads no files and no clock, so a seed gives the same page. */
class ForecastPurityTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("dev.weir.forecast");

    @Test
    void a_forecast_knows_only_the_rules_and_plain_data() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java.lang..",
                                "java.util",
                                "java.util.function",
                                "java.util.regex",
                                "java.util.stream",
                                "dev.weir.core..",
                                "dev.weir.forecast..",
                                "tools.jackson..",
                                "org.jspecify..")
                        .or(type(Duration.class)))
                .check(CLASSES);
    }

    @Test
    void a_forecast_takes_no_time_and_no_chance_from_the_machine() {
        for (var ambient : List.of(System.class, Thread.class, Runtime.class, Random.class)) {
            noClasses().should().accessClassesThat().areAssignableTo(ambient).check(CLASSES);
        }
    }

    @Test
    void the_simulation_does_not_know_how_it_is_printed() {
        noClasses()
                .that()
                .resideInAPackage("dev.weir.forecast")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.weir.forecast.text")
                .check(CLASSES);
    }
}
