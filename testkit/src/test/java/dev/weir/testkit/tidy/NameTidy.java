package dev.weir.testkit.tidy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that one simple name means one class, and that the classes, methods and folders that pages about the code
 * mention exist.
 */
final class NameTidy {
    private static final Set<String> PAGES = Set.of(
            "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/PROMISES.md", "docs/STATES.md", "docs/WORKFLOWS.md");

    /** Matches {@code Shard} or {@code Shard.runOnce}. A word in capitals does not count as a class. */
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.([a-z]\\w*))?`");

    /** Matches {@code core/…/run}, {@code core/…/run/ClaimLifecycle} and {@code core/…/run/ClaimLifecycle.grant}. */
    private static final Pattern PLACE = Pattern.compile("`([\\w/-]+)/…/([\\w/]+)(?:\\.([a-z]\\w*))?`");

    /** Matches the file of a class that is shipped. */
    private static final Pattern PRODUCTION_CLASS = Pattern.compile("/src/main/java/.*/([A-Z]\\w*)\\.java$");

    /** Names of Java's own classes, and names that our classes must not have. */
    private static final Set<String> OTHERS = Set.of(
            "LinkedHashMap",
            "HashMap",
            "TreeMap",
            "Set",
            "Map",
            "Manager",
            "Helper",
            "Util",
            "Impl",
            "Service",
            "Processor",
            "Base");

    private final List<Source> sources;
    private final List<Finding> findings = new ArrayList<>();

    private NameTidy(List<Source> sources) {
        this.sources = sources;
    }

    static List<Finding> check(List<Source> sources) {
        var tidy = new NameTidy(sources);
        tidy.checkRepeatedNames();
        sources.stream().filter(source -> PAGES.contains(source.file())).forEach(tidy::checkPage);
        return tidy.findings;
    }

    /**
     * A name as a page writes it.
     *
     * @param under the folder that contains it; empty if it may be anywhere
     * @param name the class, or a folder, or both
     */
    private record Named(
            String text,
            String under,
            String name,
            @Nullable String method) {
        static Named ofClass(MatchResult found) {
            return new Named(found.group(), "", found.group(1), found.group(2));
        }

        static Named ofPlace(MatchResult found) {
            return new Named(found.group(), found.group(1) + "/", found.group(2), found.group(3));
        }

        boolean isIn(Source source) {
            boolean there = source.file().endsWith("/" + name + ".java")
                    || (!under.isEmpty() && source.file().contains("/" + name + "/"));
            return there
                    && source.file().startsWith(under)
                    && (method == null || source.text().contains(" " + method + "("));
        }
    }

    private void checkRepeatedNames() {
        Map<String, String> files = new HashMap<>();
        for (Source source : sources) {
            MatchResult found = PRODUCTION_CLASS
                    .matcher(source.file())
                    .results()
                    .findFirst()
                    .orElse(null);
            String other = found == null ? null : files.putIfAbsent(found.group(1), source.file());
            if (other != null) {
                findings.add(new Finding(Rule.REPEATED_NAME, source.file(), 1, "a class of this name is in " + other));
            }
        }
    }

    private void checkPage(Source page) {
        var lines = page.text().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            int number = i + 1;
            Stream.concat(
                            NAME.matcher(lines.get(i)).results().map(Named::ofClass),
                            PLACE.matcher(lines.get(i)).results().map(Named::ofPlace))
                    .filter(named -> !isKnown(named))
                    .map(named -> "no " + named.text + " in the code")
                    .forEach(found -> findings.add(new Finding(Rule.STALE_NAME, page.file(), number, found)));
        }
    }

    private boolean isKnown(Named named) {
        return OTHERS.contains(named.name) || sources.stream().anyMatch(named::isIn);
    }
}
