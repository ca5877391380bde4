package dev.weir.core.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Checks that the rules decide only from their parameters. Therefore a seed replays exactly, and the same code runs in
 * production, in the simulator and in {@code weir simulate}.
 */
final class Purity {
    /** A forbidden type, method or field, as a regular expression over its full name, and the alternative. */
    private record Ban(Pattern name, String what, String instead) {
        static Ban of(String name, String what, String instead) {
            return new Ban(Pattern.compile(name), what, instead);
        }
    }

    private static final String HAND_IT_IN = "let the caller do it and hand the result in";
    private static final String TAKE_NOW = "take `now` as a parameter";
    private static final String TAKE_RANDOM = "take a generator that the caller seeded as a parameter";

    private static final List<Ban> TYPES = List.of(
            // Streams over memory, and the exceptions that reading them declares, access nothing outside.
            Ban.of(
                    "java\\.io\\.(?!(Serializable|InputStream|IOException|UncheckedIOException|Reader|Writer"
                            + "|StringReader|StringWriter|PrintWriter|ByteArrayInputStream|ByteArrayOutputStream)$).*",
                    "I/O",
                    HAND_IT_IN),
            Ban.of("java\\.nio\\.(file|channels)\\..*", "I/O", HAND_IT_IN),
            Ban.of("java\\.net\\.(?!(URI|URISyntaxException|URLEncoder|URLDecoder)$).*", "I/O", HAND_IT_IN),
            Ban.of("(java|javax)\\.(sql|rmi|net|naming)\\..*", "I/O", HAND_IT_IN),
            Ban.of("(java\\.util\\.logging|org\\.slf4j)\\..*", "logging", "return what there is to say as a value"),
            Ban.of(
                    "java\\.lang\\.(Thread|ThreadGroup|ThreadLocal|InheritableThreadLocal|Runtime|Process\\w*)",
                    "threads and processes",
                    "decide in one pass; the loop around it owns the thread"),
            Ban.of(
                    "java\\.util\\.(Timer|TimerTask"
                            + "|concurrent\\.(?!(TimeUnit|ConcurrentMap|ConcurrentHashMap|ThreadLocalRandom)$).*)",
                    "threads",
                    "decide in one pass; the loop around it owns the thread"),
            Ban.of("java\\.util\\.concurrent\\.ThreadLocalRandom", "ambient randomness", TAKE_RANDOM),
            Ban.of("java\\.security\\.SecureRandom", "ambient randomness", TAKE_RANDOM));

    private static final List<Ban> MEMBERS = List.of(
            Ban.of("java\\.lang\\.System\\.(currentTimeMillis|nanoTime)\\(\\)", "ambient clock", TAKE_NOW),
            Ban.of("java\\.time\\..*\\.(now|dateNow)\\(.*", "ambient clock", TAKE_NOW),
            Ban.of("java\\.time\\.(Clock\\.(system|tick)\\w*|InstantSource\\.system)\\(.*", "ambient clock", TAKE_NOW),
            Ban.of(
                    "java\\.util\\.((Date|GregorianCalendar)\\.<init>\\(\\)|Calendar\\.getInstance\\(.*)",
                    "ambient clock",
                    TAKE_NOW),
            Ban.of(
                    "java\\.(time\\.ZoneId\\.systemDefault|util\\.(TimeZone|Locale)\\.getDefault)\\(.*",
                    "a setting of the machine",
                    "take the zone or locale as a parameter"),
            Ban.of("java\\.lang\\.(Strict)?Math\\.random\\(\\)", "ambient randomness", TAKE_RANDOM),
            Ban.of("java\\.util\\.(Random|SplittableRandom)\\.<init>\\(\\)", "ambient randomness", TAKE_RANDOM),
            Ban.of("java\\.util\\.UUID\\.randomUUID\\(\\)", "ambient randomness", "let the caller give the id"),
            Ban.of("java\\.util\\.Collections\\.shuffle\\(java\\.util\\.List\\)", "ambient randomness", TAKE_RANDOM),
            Ban.of(
                    "java\\.util\\.random\\.(RandomGenerator\\.(getDefault|of)\\(.*"
                            + "|RandomGeneratorFactory\\.create\\(\\))",
                    "ambient randomness",
                    TAKE_RANDOM),
            Ban.of("java\\.lang\\.System\\.identityHashCode\\(.*", "ambient randomness", "compare by an id"),
            Ban.of(
                    "java\\.lang\\.System\\.(out|err|in|console\\(\\))",
                    "the console",
                    "return what there is to say as a value"),
            Ban.of("java\\.lang\\.Throwable\\.printStackTrace\\(\\)", "the console", "let the caller report it"),
            Ban.of(
                    "java\\.lang\\.System\\.(getenv|getProperty|getProperties|exit|load|loadLibrary)\\(.*",
                    "a setting of the machine",
                    HAND_IT_IN),
            Ban.of(
                    "java\\.util\\..*\\.(parallelStream|parallel|parallelSort|parallelPrefix|parallelSetAll)\\(.*",
                    "threads",
                    "stay in one thread"));

    static final ArchRule PURE = classes()
            .should(new ArchCondition<JavaClass>("have no I/O, threads, clock or randomness of their own") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    checkTypes(type, events);
                    checkMembers(type, events);
                    checkSynchronized(type, events);
                }
            })
            .allowEmptyShould(true);

    private Purity() {}

    private static void checkTypes(JavaClass type, ConditionEvents events) {
        for (var dependency : type.getDirectDependenciesFromSelf()) {
            var name = dependency.getTargetClass().getBaseComponentType().getName();
            report(TYPES, name, dependency.getDescription(), type, events);
        }
    }

    private static void checkMembers(JavaClass type, ConditionEvents events) {
        for (var access : type.getAccessesFromSelf()) {
            report(MEMBERS, access.getTarget().getFullName(), access.getDescription(), type, events);
        }
        for (var reference : type.getMethodReferencesFromSelf()) {
            report(MEMBERS, reference.getTarget().getFullName(), reference.getDescription(), type, events);
        }
        for (var reference : type.getConstructorReferencesFromSelf()) {
            report(MEMBERS, reference.getTarget().getFullName(), reference.getDescription(), type, events);
        }
    }

    private static void checkSynchronized(JavaClass type, ConditionEvents events) {
        for (var method : type.getMethods()) {
            if (method.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
                events.add(SimpleConditionEvent.violated(
                        type, method.getFullName() + " is synchronized; stay in one thread"));
            }
        }
    }

    private static void report(List<Ban> bans, String name, String where, JavaClass type, ConditionEvents events) {
        for (var ban : bans) {
            if (ban.name().matcher(name).matches()) {
                var words = where + " is " + ban.what() + "; " + ban.instead();
                events.add(SimpleConditionEvent.violated(type, words));
            }
        }
    }
}
