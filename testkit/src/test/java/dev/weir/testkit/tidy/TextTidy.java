package dev.weir.testkit.tidy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks every file of the repository for forbidden text, and the links between its pages. */
final class TextTidy {
    private static final Map<Rule, Pattern> FORBIDDEN = new TreeMap<>(Map.of(
            Rule.MARKER,
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b"),
            Rule.MACHINE_PATH,
            Pattern.compile("(?<![\\w.~}*-])(/(work|root)(?![\\w-])|/(home|Users)/\\w+)"),
            Rule.REGISTRY_HOST,
            Pattern.compile("\\b(repo\\d?\\.maven\\.|(central|oss)\\.sonatype\\.|plugins\\.gradle\\.|jitpack\\.io"
                    + "|registry\\.(npmjs|yarnpkg)\\.|pypi\\.org|(docker|ghcr|quay)\\.io|proxy\\.golang\\."
                    + "|[a]rtifactory\\.|[n]exus\\.)\\w*")));

    /** A Markdown link to a target that is neither on the web nor on the same page. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:|#)([^)#\\s]+)");

    private final Set<String> files;
    private final List<Finding> findings = new ArrayList<>();

    private TextTidy(List<Source> sources) {
        files = sources.stream().map(Source::file).collect(Collectors.toSet());
    }

    static List<Finding> check(List<Source> sources) {
        var tidy = new TextTidy(sources);
        for (var source : sources) {
            var lines = source.text().lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                tidy.checkLine(source.file(), i + 1, lines.get(i));
            }
        }
        return tidy.findings;
    }

    private void checkLine(String file, int number, String line) {
        FORBIDDEN.forEach((rule, pattern) -> {
            var matcher = pattern.matcher(line);
            if (matcher.find()) {
                findings.add(new Finding(rule, file, number, "found '" + matcher.group() + "'"));
            }
        });
        if (file.endsWith(".md")) {
            LINK.matcher(line).results().map(link -> link.group(1)).forEach(link -> checkLink(file, number, link));
        }
    }

    private void checkLink(String file, int number, String link) {
        var target = Path.of(file).resolveSibling(link).normalize().toString().replace('\\', '/');
        if (files.stream().noneMatch(known -> known.equals(target) || known.startsWith(target + "/"))) {
            findings.add(new Finding(Rule.BROKEN_LINK, file, number, "no file '" + target + "'"));
        }
    }
}
