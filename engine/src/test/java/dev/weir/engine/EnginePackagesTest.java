package dev.weir.engine;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies between engine's packages. They go one way: each package knows only packages that are listed
 * before it, and only those that are named here.
 */
class EnginePackagesTest {
    private static final String ENGINE = "dev.weir.engine";

    /** The entry point: opens a node and puts the other packages together. */
    private static final String ROOT = "";

    private static final JavaClasses CLASSES =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ENGINE);

    /** Each package with the packages on which it may depend, in order. */
    private static Map<String, List<String>> allowedDependencies() {
        Map<String, List<String>> order = new LinkedHashMap<>();
        order.put("request", List.of());
        order.put("secret", List.of());
        order.put("journal", List.of("request"));
        order.put("shard", List.of("request", "journal"));
        order.put("live", List.of("request", "shard"));
        order.put("log", List.of("request", "secret"));
        order.put("records", List.of("log"));
        order.put("organisations", List.of("records"));
        order.put("work", List.of("request", "secret", "log"));
        order.put("call", List.of("request", "secret", "work"));
        order.put(ROOT, List.of("request", "secret", "journal", "shard", "live", "log", "records", "work", "call"));
        return order;
    }

    @Test
    void packages_know_only_those_that_they_may_know() {
        layers(allowedDependencies())
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    @Test
    void packages_know_only_those_that_are_listed_before_them() {
        var before = new ArrayList<String>();
        allowedDependencies().forEach((name, known) -> {
            assertThat(before).as("packages before '%s'", name).containsAll(known);
            before.add(name);
        });
    }

    @Test
    void a_package_that_knows_one_that_it_may_not_is_refused() {
        var stricter = allowedDependencies();
        stricter.put("shard", List.of("request"));
        assertThat(layers(stricter).evaluate(CLASSES).getFailureReport().getDetails())
                .anyMatch(violation -> violation.contains("engine.shard.Sweep") && violation.contains("journal"));
    }

    private static LayeredArchitecture layers(Map<String, List<String>> order) {
        var layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (var name : order.keySet()) {
            layers = layers.layer(ENGINE + "." + name).definedBy(name.equals(ROOT) ? ENGINE : ENGINE + "." + name);
        }
        for (var entry : order.entrySet()) {
            var layer = layers.whereLayer(ENGINE + "." + entry.getKey());
            var known =
                    entry.getValue().stream().map(each -> ENGINE + "." + each).toArray(String[]::new);
            layers = known.length == 0 ? layer.mayNotAccessAnyLayer() : layer.mayOnlyAccessLayers(known);
        }
        return layers;
    }
}
