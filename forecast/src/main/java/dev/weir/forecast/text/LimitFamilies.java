package dev.weir.forecast.text;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.forecast.Forecast.Limit;
import dev.weir.forecast.LimitName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Groups limits that come from the same expression of the definition, such as one key for each customer. The output
 * then has one line for each group.
 */
final class LimitFamilies {
    /** Matches an expression in a key. */
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{.*?}}");

    private final Map<Pattern, String> keys = new LinkedHashMap<>();

    private LimitFamilies() {}

    static LimitFamilies of(Workflow workflow) {
        var families = new LimitFamilies();
        workflow.flowControl().forEach(families::add);
        for (Step step : workflow.steps()) {
            List<FlowControl> own = step.demand().flowControl();
            if (own != null) {
                own.forEach(families::add);
            }
        }
        return families;
    }

    private void add(FlowControl control) {
        String source = control.key().source().asString("");
        if (!control.key().isLiteral()) {
            var pattern = new StringBuilder();
            for (String part : EXPRESSION.split(source, -1)) {
                pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
            }
            keys.put(
                    Pattern.compile(pattern.toString(), Pattern.DOTALL),
                    EXPRESSION.matcher(source).replaceAll("*"));
        }
    }

    /** Returns the name of a limit, or that of its family. */
    String familyName(LimitName name) {
        return switch (name.limit()) {
            case LimitId.Key key -> formatFamily(name, new LimitId.Key(familyOf(key.name())));
            case LimitId.RunKey key -> formatFamily(name, new LimitId.RunKey(key.workflow(), "*"));
            case null -> name.toString();
            case LimitId.WorkflowRuns ignored -> name.toString();
            case LimitId.OrgRuns ignored -> name.toString();
            case LimitId.Local ignored -> name.toString();
        };
    }

    private static String formatFamily(LimitName name, LimitId family) {
        return new LimitName(family, name.cause(), name.step()).toString();
    }

    private String familyOf(String key) {
        for (var entry : keys.entrySet()) {
            if (entry.getKey().matcher(key).matches()) {
                return entry.getValue();
            }
        }
        return key;
    }

    /**
     * Limits with the same family name: the fullest of them, and their number.
     *
     * @param utilisation the average use of all of them
     */
    record Family(String name, Limit fullest, int members, double utilisation) {}

    /** Groups limits by family and keeps their order. A limit that is alone keeps its own name. */
    List<Family> group(List<Limit> limits) {
        Map<String, List<Limit>> byName = new LinkedHashMap<>();
        limits.forEach(limit -> byName.computeIfAbsent(familyName(limit.name()), ignored -> new ArrayList<>())
                .add(limit));
        List<Family> families = new ArrayList<>();
        byName.forEach((name, members) -> {
            Limit first = members.getFirst();
            String shownName = members.size() == 1 ? first.name().toString() : name;
            double utilisation =
                    members.stream().mapToDouble(Limit::utilisation).average().orElse(0);
            families.add(new Family(shownName, first, members.size(), utilisation));
        });
        return families;
    }
}
