package dev.weir.core.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PurityTest {
    @Test
    void core_has_no_io_threads_clock_or_randomness_of_its_own() {
        Purity.PURE.check(new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests())
                .importPackages("dev.weir.core"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AsksTheTime.class,
                AsksTheTimeByReference.class,
                AsksTheDate.class,
                Measures.class,
                Prints.class,
                ReadsAFile.class,
                StartsAThread.class,
                Locks.class,
                Synchronizes.class,
                DrawsUnseeded.class,
                DrawsFromTheThread.class,
                DrawsAnId.class,
                Shuffles.class,
                AsksTheEnvironment.class
            })
    void an_impure_class_is_refused(Class<?> impure) {
        assertThat(evaluate(impure).hasViolation()).as(impure.getSimpleName()).isTrue();
    }

    @Test
    void a_class_that_takes_its_dependencies_from_the_caller_is_pure() {
        assertThat(evaluate(TakesWhatItNeeds.class).getFailureReport().getDetails())
                .isEmpty();
    }

    @Test
    void a_refusal_says_where_it_is_and_what_to_do() {
        assertThat(evaluate(AsksTheTime.class).getFailureReport().getDetails())
                .singleElement()
                .asString()
                .contains("PurityTest.java:", "Instant.now()", "ambient clock", "take `now` as a parameter");
    }

    private static EvaluationResult evaluate(Class<?> type) {
        return Purity.PURE.evaluate(new ClassFileImporter().importClasses(type));
    }

    static final class AsksTheTime {
        Instant time() {
            return Instant.now();
        }
    }

    static final class AsksTheTimeByReference {
        Supplier<Instant> time() {
            return Instant::now;
        }
    }

    static final class AsksTheDate {
        LocalDate date() {
            return LocalDate.now(ZoneOffset.UTC);
        }
    }

    static final class Measures {
        long measure() {
            return System.nanoTime();
        }
    }

    static final class Prints {
        void print() {
            System.out.println("here");
        }
    }

    static final class ReadsAFile {
        String read(Path path) {
            try {
                return Files.readString(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static final class StartsAThread {
        void start(Runnable work) {
            Thread.startVirtualThread(work);
        }
    }

    static final class Locks {
        private final ReentrantLock lock = new ReentrantLock();

        boolean held() {
            return lock.isLocked();
        }
    }

    static final class Synchronizes {
        private int count;

        synchronized int next() {
            return count++;
        }
    }

    static final class DrawsUnseeded {
        int draw() {
            return new Random().nextInt();
        }
    }

    static final class DrawsFromTheThread {
        int draw() {
            return ThreadLocalRandom.current().nextInt();
        }
    }

    static final class DrawsAnId {
        UUID draw() {
            return UUID.randomUUID();
        }
    }

    static final class Shuffles {
        void shuffle(List<String> items) {
            Collections.shuffle(items);
        }
    }

    static final class AsksTheEnvironment {
        boolean set() {
            return System.getenv("WEIR") != null;
        }
    }

    static final class TakesWhatItNeeds {
        List<String> shuffled(List<String> items, long seed, Instant now) throws IOException {
            Collections.shuffle(items, new Random(seed));
            try (var reader = new StringReader(now.plusSeconds(1).toString())) {
                items.add(String.valueOf(reader.read()));
            }
            return items;
        }
    }
}
