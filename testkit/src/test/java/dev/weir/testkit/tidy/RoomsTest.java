package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** Dependencies between rooms go one way: what decides knows nothing of what stores, serves or shows. */
class RoomsTest {
    /** Every edge that is allowed. A new one is a decision: add it here, and say why in docs/DECISIONS.md. */
    private static final Set<String> ALLOWED = Set.of(
            "server -> engine",
            "server -> postgres",
            "server -> api",
            "engine -> core",
            "postgres -> engine",
            "cli -> client",
            "cli -> core",
            "cli -> server",
            "client -> api",
            "testkit -> core",
            "testkit -> engine",
            "postgres -> testkit",
            "server -> testkit",
            "bench -> core",
            "bench -> engine",
            "bench -> postgres");

    private static final String ARTIFACT_PREFIX = "weir-";

    @Test
    void rooms_depend_only_one_way() throws Exception {
        var edges = new TreeSet<String>();
        for (var room : rooms()) {
            edges.addAll(edges(room, Files.readString(repository().resolve(room).resolve("pom.xml"))));
        }
        edges.removeAll(ALLOWED);
        assertThat(edges).as("edges that RoomsTest does not allow").isEmpty();
    }

    @Test
    void every_folder_with_a_pom_is_a_room_of_the_build() throws Exception {
        var folders = new ArrayList<String>();
        try (var list = Files.newDirectoryStream(repository(), folder -> Files.exists(folder.resolve("pom.xml")))) {
            list.forEach(folder -> folders.add(String.valueOf(folder.getFileName())));
        }
        assertThat(rooms()).containsExactlyInAnyOrderElementsOf(folders);
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
        assertThat(edges("core", pom)).containsExactly("core -> server", "core -> cli");
        assertThat(ALLOWED).doesNotContainAnyElementsOf(edges("core", pom));
    }

    @Test
    void the_allowed_edges_have_no_cycle() {
        var left = new TreeSet<>(ALLOWED);
        while (!left.isEmpty()) {
            var sources = left.stream().map(edge -> edge.split(" -> ", -1)[0]).toList();
            assertThat(left.removeIf(edge -> !sources.contains(edge.split(" -> ", -1)[1])))
                    .as("a cycle among %s", left)
                    .isTrue();
        }
    }

    private static List<String> edges(String room, String pom) throws Exception {
        var edges = new ArrayList<String>();
        for (var dependency : elements(parse(pom), "dependency")) {
            var artifact = text(dependency, "artifactId");
            if (text(dependency, "groupId").equals("dev.weir")) {
                edges.add(room + " -> " + artifact.substring(ARTIFACT_PREFIX.length()));
            }
        }
        return edges;
    }

    private static List<String> rooms() throws Exception {
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
