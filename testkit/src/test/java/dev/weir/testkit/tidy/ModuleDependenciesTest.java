package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/**
 * Tests that dependencies between Maven modules go one way: modules that decide do not depend on modules that store,
 * serve or show.
 */
class ModuleDependenciesTest {
    /** All allowed dependencies. A new one is a decision: add it here, and give the reason in docs/DECISIONS.md. */
    private static final Set<String> ALLOWED = Set.of(
            "server -> engine",
            "server -> forecast",
            "server -> postgres",
            "server -> postgres-embedded",
            "server -> api",
            "server -> console",
            "engine -> core",
            "engine -> worker",
            "forecast -> core",
            "postgres -> engine",
            "cli -> client",
            "cli -> core",
            "cli -> forecast",
            "cli -> server",
            "client -> api",
            "client -> worker",
            "testkit -> core",
            "testkit -> engine",
            "simulator -> core",
            "simulator -> engine",
            "simulator -> testkit",
            "bench -> client",
            "bench -> core",
            "bench -> engine",
            "bench -> postgres",
            "bench -> postgres-embedded",
            "bench -> server");

    /** All allowed dependencies of tests only: nothing that is shipped has them. */
    private static final Set<String> ALLOWED_IN_TESTS =
            Set.of("postgres -> postgres-embedded", "postgres -> testkit", "server -> testkit", "testkit -> forecast");

    private static final String ARTIFACT_PREFIX = "weir-";

    /** The artifact of each imported package. A package that is not listed fails the test. */
    private static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("ch.qos.logback", "logback-classic"),
            Map.entry("com.fasterxml.jackson", "jackson-databind"),
            Map.entry("com.github.kagkarlsson", "db-scheduler"),
            Map.entry("com.google.common", "guava"),
            Map.entry("com.google.re2j", "re2j"),
            Map.entry("com.microsoft.playwright", "playwright"),
            Map.entry("com.networknt.schema", "json-schema-validator"),
            Map.entry("com.zaxxer.hikari", "HikariCP"),
            Map.entry("dev.cel", "cel"),
            Map.entry("dev.dbos", "transact"),
            Map.entry("io.javalin", "javalin"),
            Map.entry("io.micrometer", "micrometer-registry-prometheus"),
            Map.entry("org.apache.commons", "commons-compress"),
            Map.entry("org.apache.hc", "httpclient5"),
            Map.entry("org.assertj", "assertj-core"),
            Map.entry("org.eclipse.jetty", "javalin"),
            Map.entry("org.flywaydb", "flyway-database-postgresql"),
            Map.entry("org.jspecify", "jspecify"),
            Map.entry("org.junit.jupiter", "junit-jupiter"),
            Map.entry("org.openjdk.jmh", "jmh-core"),
            Map.entry("org.postgresql", "postgresql"),
            Map.entry("org.slf4j", "slf4j-api"),
            Map.entry("org.snakeyaml", "snakeyaml-engine"),
            Map.entry("org.tukaani", "xz"),
            Map.entry("picocli", "picocli"),
            Map.entry("tools.jackson", "jackson-databind"));

    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?+((?!javax?\\.|com\\.sun\\.|dev\\.weir\\.)[\\w.]+)");

    @Test
    void maven_modules_depend_only_one_way() throws Exception {
        var edges = new TreeSet<String>();
        var edgesOfTests = new TreeSet<String>();
        for (var mavenModule : mavenModules()) {
            var pom = Files.readString(repository().resolve(mavenModule).resolve("pom.xml"));
            edges.addAll(edges(mavenModule, pom, false));
            edgesOfTests.addAll(edges(mavenModule, pom, true));
        }
        assertThat(edges).as("edges").containsExactlyInAnyOrderElementsOf(ALLOWED);
        assertThat(edgesOfTests).as("edges of tests").containsExactlyInAnyOrderElementsOf(ALLOWED_IN_TESTS);
    }

    @Test
    void every_folder_with_a_pom_is_a_module_of_the_build() throws Exception {
        var folders = new ArrayList<String>();
        try (var list = Files.newDirectoryStream(repository(), folder -> Files.exists(folder.resolve("pom.xml")))) {
            list.forEach(folder -> folders.add(String.valueOf(folder.getFileName())));
        }
        assertThat(mavenModules()).containsExactlyInAnyOrderElementsOf(folders);
    }

    @Test
    void an_edge_is_seen_in_every_scope() throws Exception {
        var pom = """
                <project>
                  <parent><groupId>dev.weir</groupId><artifactId>weir-parent</artifactId></parent>
                  <dependencies>
                    <dependency><groupId>dev.weir</groupId><artifactId>weir-server</artifactId></dependency>
                    <dependency><groupId>org.other</groupId><artifactId>weir-other</artifactId></dependency>
                    <dependency>
                      <groupId>dev.weir</groupId><artifactId>weir-cli</artifactId><scope>test</scope>
                    </dependency>
                  </dependencies>
                </project>
                """;
        assertThat(edges("core", pom, false)).containsExactly("core -> server");
        assertThat(edges("core", pom, true)).containsExactly("core -> cli");
    }

    @Test
    void the_allowed_edges_have_no_cycle() {
        var left = new TreeSet<>(ALLOWED);
        left.addAll(ALLOWED_IN_TESTS);
        while (!left.isEmpty()) {
            var sources = left.stream().map(edge -> edge.split(" -> ", -1)[0]).toList();
            assertThat(left.removeIf(edge -> !sources.contains(edge.split(" -> ", -1)[1])))
                    .as("a cycle among %s", left)
                    .isTrue();
        }
    }

    @Test
    void every_import_is_declared_by_its_module_or_by_a_dependency() throws Exception {
        var undeclared = new TreeSet<String>();
        for (var mavenModule : mavenModules()) {
            Set<String> declared = declared(mavenModule);
            for (var imported : imports(mavenModule)) {
                if (ARTIFACTS.entrySet().stream()
                        .noneMatch(each ->
                                imported.startsWith(each.getKey() + ".") && declared.contains(each.getValue()))) {
                    undeclared.add(mavenModule + " imports " + imported);
                }
            }
        }
        assertThat(undeclared)
                .as("imports whose artifact no pom declares, or that ARTIFACTS does not list")
                .isEmpty();
    }

    /**
     * The artifacts that are declared by the POM of a Maven module, by the parent, and by the POMs of the modules that
     * it depends on.
     */
    private static Set<String> declared(String mavenModule) throws Exception {
        var declared = new TreeSet<>(Set.of("jspecify"));
        var pom = Files.readString(repository().resolve(mavenModule).resolve("pom.xml"));
        for (var dependency : elements(parse(pom), "dependency")) {
            if (!text(dependency, "scope").equals("test")) {
                declared.add(text(dependency, "artifactId"));
            }
        }
        for (var below : edges(mavenModule, pom, false)) {
            declared.addAll(declared(below.split(" -> ", -1)[1]));
        }
        return declared;
    }

    private static Set<String> imports(String mavenModule) throws IOException {
        var imports = new TreeSet<String>();
        Path sources = repository().resolve(mavenModule).resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
            return imports;
        }
        try (var files = Files.walk(sources)) {
            for (var file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                IMPORT.matcher(Files.readString(file)).results().forEach(found -> imports.add(found.group(1)));
            }
        }
        return imports;
    }

    /** Returns the dependencies of a module on others: those of its tests only, or those of what it ships. */
    private static List<String> edges(String mavenModule, String pom, boolean inTests) throws Exception {
        var edges = new ArrayList<String>();
        for (var dependency : elements(parse(pom), "dependency")) {
            var artifact = text(dependency, "artifactId");
            if (text(dependency, "groupId").equals("dev.weir")
                    && text(dependency, "scope").equals("test") == inTests) {
                edges.add(mavenModule + " -> " + artifact.substring(ARTIFACT_PREFIX.length()));
            }
        }
        return edges;
    }

    private static List<String> mavenModules() throws Exception {
        return elements(parse(Files.readString(repository().resolve("pom.xml"))), "module").stream()
                .map(Node::getTextContent)
                .toList();
    }

    private static Element parse(String pom) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(pom)))
                .getDocumentElement();
    }

    private static List<Element> elements(Element root, String name) {
        var nodes = root.getElementsByTagName(name);
        var elements = new ArrayList<Element>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static String text(Element parent, String name) {
        var found = elements(parent, name);
        return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
    }

    private static Path repository() throws IOException {
        return Path.of("..").toRealPath();
    }
}
