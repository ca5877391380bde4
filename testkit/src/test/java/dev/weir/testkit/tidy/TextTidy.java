package dev.weir.testkit.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What no file of the repository may contain, whatever its kind. */
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

    private TextTidy() {}

    static List<Finding> check(List<Source> sources) {
        var findings = new ArrayList<Finding>();
        for (var source : sources) {
            var lines = source.text().lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                checkLine(source.file(), i + 1, lines.get(i), findings);
            }
        }
        return findings;
    }

    private static void checkLine(String file, int number, String line, List<Finding> findings) {
        FORBIDDEN.forEach((rule, pattern) -> {
            var matcher = pattern.matcher(line);
            if (matcher.find()) {
                findings.add(new Finding(rule, file, number, "found '" + matcher.group() + "'"));
            }
        });
    }
}
