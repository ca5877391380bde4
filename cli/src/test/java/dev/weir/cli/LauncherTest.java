package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the real launcher in a made-up checkout. The PATH holds only the ordinary tools, and a {@code java} and an
 * {@code mvn} that record how they were called.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final int LAUNCH_MAX_SECONDS = 30;

    private static final List<String> TOOLS =
            List.of("cat", "find", "head", "ln", "mkdir", "readlink", "rm", "sed", "sleep", "tail", "touch");

    private final Path temp;
    private final Path checkout;
    private final Path bin;
    private final Map<String, String> environment = new TreeMap<>();

    /** A launch under way, and the files that take its output. */
    private record Launching(Process process, Path out, Path err) {}

    /** The output and the exit code of a launch. */
    private record Launch(int exit, String out, String err) {}

    LauncherTest(@TempDir Path folder) throws IOException {
        temp = folder.toRealPath();
        checkout = Files.createDirectories(temp.resolve("a check out"));
        bin = Files.createDirectories(temp.resolve("bin"));
    }

    @BeforeEach
    void make_a_checkout_and_a_machine_with_nothing_but_the_ordinary_tools() throws IOException {
        executable(checkout.resolve("weir"), Files.readString(Path.of("..", "weir")));
        for (var file : List.of("pom.xml", "core/pom.xml", "cli/pom.xml", "core/src/main/resources/schema.json")) {
            write(checkout.resolve(file), "");
        }
        for (var tool : TOOLS) {
            executable(bin.resolve(tool), "#!/bin/sh\nexec " + installed(tool).orElseThrow() + " \"$@\"\n");
        }
        environment.put("PATH", bin.toString());
        environment.put("HOME", temp.resolve("home of a user").toString());
        environment.put("WEIR_JDK_ROOT", temp.resolve("machine").toString());
        environment.put("CALLS", temp.resolve("calls").toString());
    }

    @Test
    void without_a_jdk_it_says_what_to_install() throws Exception {
        var launch = launch("--help");
        assertThat(launch.exit()).isEqualTo(69);
        assertThat(launch.err()).contains("needs a JDK, version 21 or newer; found none", "to install one", "SDKMAN");
        assertThat(launch.out()).isEmpty();
    }

    @Test
    void a_jdk_that_is_too_old_is_named() throws Exception {
        jdk(temp.resolve("machine/usr/lib/jvm/java-17"), "17.0.15");
        assertThat(launch("--help").err()).contains("found version 17 in " + temp + "/machine/usr/lib/jvm/java-17");
    }

    @Test
    void a_runtime_without_a_compiler_is_no_jdk() throws Exception {
        Files.delete(jdk(temp.resolve("machine/usr/lib/jvm/jre-25"), "25").resolve("bin/javac"));
        assertThat(launch("--help").exit()).isEqualTo(69);
    }

    @Test
    void without_maven_it_says_what_to_install() throws Exception {
        jdk(temp.resolve("machine/usr/lib/jvm/java-21"), "21.0.1");
        var launch = launch("--help");
        assertThat(launch.exit()).isEqualTo(69);
        assertThat(launch.err()).contains("needs Maven, version 3.8.7 or newer", "to install it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "machine/usr/lib/jvm/temurin-25",
                "machine/opt/jdk-25",
                "machine/Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home",
                "machine/opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home",
                "home of a user/.sdkman/candidates/java/25-tem",
                "on path"
            })
    void the_newest_jdk_is_picked_wherever_it_is(String folder) throws Exception {
        environment.put("JAVA_HOME", jdk(temp.resolve("given"), "21.0.9").toString());
        jdk(temp.resolve("machine/usr/lib/jvm/java-8"), "1.8.0_400");
        var newest = jdk(temp.resolve(folder), "25.0.3");
        if (folder.equals("on path")) {
            Files.createSymbolicLink(bin.resolve("java"), newest.resolve("bin/java"));
        }
        maven("");
        assertThat(launch("x").out()).startsWith(newest.toRealPath().toString());
    }

    @Test
    void arguments_pass_through_unchanged() throws Exception {
        ready();
        var launch = launch("simulate", "a file.yaml", "", "*", "-o", "$HOME \"quoted\"\nline");
        assertThat(launch.out())
                .endsWith("-jar|" + checkout
                        + "/cli/target/weir.jar|simulate|a file.yaml||*|-o|$HOME \"quoted\"\nline|\n");
    }

    @Test
    void the_exit_code_is_that_of_the_command() throws Exception {
        ready();
        environment.put("EXIT", "2");
        assertThat(launch("--wrong").exit()).isEqualTo(2);
    }

    @Test
    void bench_runs_the_jar_of_the_benchmarks_without_its_own_name() throws Exception {
        ready();
        assertThat(launch("bench", "core").out()).endsWith("-jar|" + checkout + "/bench/target/weir-bench.jar|core|\n");
        assertThat(calls()).singleElement().asString().contains("package -pl bench -am");
    }

    @Test
    void it_builds_once_and_again_only_when_a_source_a_resource_or_a_pom_changed() throws Exception {
        ready();
        launch("x");
        launch("x");
        assertThat(calls()).hasSize(1).first().asString().contains("package -pl cli -am");
        write(checkout.resolve("core/src/main/resources/schema.json"), "{}");
        launch("x");
        assertThat(calls()).hasSize(2);
        write(checkout.resolve("core/pom.xml"), "<project/>");
        launch("x");
        assertThat(calls()).hasSize(3);
        Files.delete(checkout.resolve("core/src/main/resources/schema.json"));
        launch("x");
        assertThat(calls()).hasSize(4);
        write(checkout.resolve("core/src/test/java/NewTest.java"), "");
        launch("x");
        assertThat(calls()).hasSize(4);
    }

    @Test
    void a_file_that_changes_during_a_build_is_built_at_the_next_start() throws Exception {
        ready();
        maven("sleep 0.1; echo edited > core/src/main/resources/schema.json");
        launch("x");
        maven("");
        launch("x");
        launch("x");
        assertThat(calls()).hasSize(2);
    }

    @Test
    void a_failed_build_shows_its_log_and_leaves_nothing_behind() throws Exception {
        ready();
        maven("echo cannot find symbol; exit 1");
        var launch = launch("x");
        assertThat(launch.exit()).isEqualTo(69);
        assertThat(launch.err()).contains("cannot find symbol", "the build failed", "target/weir-build.log");
        assertThat(launch.out()).isEmpty();
        assertThat(checkout.resolve("cli/target/weir.jar")).doesNotExist();
        assertThat(Files.exists(checkout.resolve("target/weir-build.lock"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void two_first_starts_at_once_build_once() throws Exception {
        ready();
        maven("sleep 1");
        var first = start(checkout.resolve("weir"), temp, "one");
        var second = start(checkout.resolve("weir"), temp, "two");
        assertThat(finish(first).out()).endsWith("|one|\n");
        assertThat(finish(second).out()).endsWith("|two|\n");
        assertThat(calls()).hasSize(1);
    }

    @Test
    void a_lock_left_by_a_dead_process_is_broken_and_what_it_left_half_done_built_again() throws Exception {
        ready();
        launch("x");
        launch("bench");
        var before = calls().size();
        var dead = new ProcessBuilder("sh", "-c", "exit 0").start();
        assertThat(dead.waitFor(LAUNCH_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        Files.createSymbolicLink(checkout.resolve("target/weir-build.lock"), Path.of("pid-" + dead.pid()));
        assertThat(launch("x").exit()).isZero();
        assertThat(calls()).hasSize(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pid-$$", "pid-$$-", "pid-$$-1"})
    void a_lock_with_its_own_pid_is_treated_as_left_by_a_dead_process(String owner) throws Exception {
        ready();
        launch("x");
        var again = "ln -s \"%s\" target/weir-build.lock && exec ./weir x".formatted(owner);
        var launch = finish(start(Path.of("/bin/sh"), checkout, "-c", again));
        assertThat(launch.exit()).isZero();
        assertThat(launch.err()).doesNotContain("waiting");
        assertThat(calls()).hasSize(2);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_process_that_started_at_another_time_than_the_owner_of_the_lock_is_not_waited_for() throws Exception {
        ready();
        launch("x");
        var other = ProcessHandle.current().pid();
        Files.createSymbolicLink(checkout.resolve("target/weir-build.lock"), Path.of("pid-" + other + "-1"));
        var launch = launch("x");
        assertThat(launch.exit()).isZero();
        assertThat(launch.err()).doesNotContain("waiting");
        assertThat(calls()).hasSize(2);
    }

    @Test
    void an_owner_that_lives_is_waited_for() throws Exception {
        ready();
        maven("while [ ! -e go ]; do sleep 0.1; done");
        var first = start(checkout.resolve("weir"), temp, "one");
        var lock = checkout.resolve("target/weir-build.lock");
        await().until(() -> Files.exists(lock, LinkOption.NOFOLLOW_LINKS));
        assertThat(Files.readSymbolicLink(lock).toString())
                .startsWith("pid-" + first.process().pid() + "-");
        var second = start(checkout.resolve("weir"), temp, "two");
        await().until(() -> Files.readString(second.err())
                .contains(
                        "waiting for the build that process " + first.process().pid() + " runs\n"));
        write(checkout.resolve("go"), "");
        assertThat(finish(first).out()).endsWith("|one|\n");
        assertThat(finish(second).out()).endsWith("|two|\n");
        assertThat(calls()).hasSize(1);
    }

    @Test
    void it_works_through_a_link_from_another_folder() throws Exception {
        ready();
        var links = Files.createDirectories(temp.resolve("my links"));
        Files.createSymbolicLink(links.resolve("direct"), Path.of("../a check out/weir"));
        var link = Files.createSymbolicLink(links.resolve("weir-link"), Path.of("direct"));
        var launch = finish(start(link, links, "x"));
        assertThat(launch.err()).isEqualTo("weir: building (log: " + checkout + "/target/weir-build.log)\n");
        assertThat(launch.out()).contains(checkout + "/cli/target/weir.jar|x|");
        assertThat(launch.out()).contains("in " + links + "|");
    }

    @Test
    void it_says_how_it_was_called_by_its_path_or_by_its_name_where_that_is_on_the_path() throws Exception {
        ready();
        assertThat(launch("x").out()).contains("|-Dweir.command=" + checkout + "/weir|-jar|");
        assertThat(finish(start(Path.of("/bin/sh"), checkout, "-c", "./weir x")).out())
                .contains("|-Dweir.command=./weir|");
        assertThat(finish(start(Path.of("/bin/sh"), checkout, "-c", "cd core && ../weir x"))
                        .out())
                .contains("|-Dweir.command=../weir|");
        assertThat(finish(start(Path.of("/bin/sh"), checkout, "-c", "/bin/sh weir x"))
                        .out())
                .contains("|-Dweir.command=./weir|");
        Files.createSymbolicLink(bin.resolve("weir"), checkout.resolve("weir"));
        assertThat(finish(start(Path.of("/bin/sh"), temp, "-c", "weir x")).out())
                .contains("|-Dweir.command=weir|");
        assertThat(finish(start(Path.of("/bin/sh"), checkout, "-c", "./weir x")).out())
                .contains("|-Dweir.command=./weir|");
    }

    @Test
    void only_nodes_simulations_and_benchmarks_use_the_second_compiler() throws Exception {
        ready();
        String option = "-XX:TieredStopAtLevel=1|";
        assertThat(launch("runs").out()).contains(option);
        assertThat(launch().out()).contains(option);
        assertThat(launch("up", "--demo").out()).doesNotContain(option);
        assertThat(launch("simulate", "x.yaml").out()).doesNotContain(option);
        assertThat(launch("bench", "floor").out()).doesNotContain(option);
    }

    static Stream<List<String>> shells() {
        return Stream.of(List.of("dash"), List.of("bash"), List.of("ksh"), List.of("busybox", "sh"), List.of("sh"))
                .filter(shell -> installed(shell.getFirst()).isPresent());
    }

    @ParameterizedTest
    @MethodSource("shells")
    void every_posix_shell_that_is_installed_runs_it(List<String> shell) throws Exception {
        ready();
        var args = new ArrayList<>(shell.subList(1, shell.size()));
        args.addAll(List.of(checkout.resolve("weir").toString(), "a b"));
        var command = installed(shell.getFirst()).orElseThrow();
        var launch = finish(start(command, temp, args.toArray(String[]::new)));
        assertThat(launch.out()).endsWith("/cli/target/weir.jar|a b|\n");
        assertThat(calls()).hasSize(1);
    }

    /** Sets up a machine on which the launcher has everything that it needs. */
    private void ready() throws IOException {
        jdk(temp.resolve("machine/usr/lib/jvm/java-21"), "21.0.1");
        maven("");
    }

    /** Creates a JDK whose java prints its home, its folder and its arguments, and exits with a given code. */
    private static Path jdk(Path home, String version) throws IOException {
        write(home.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        executable(home.resolve("bin/javac"), "#!/bin/sh\n");
        executable(home.resolve("bin/java"), """
                #!/bin/sh
                printf '%%s|in %%s|' '%s' "$PWD"
                printf '%%s|' "$@"
                echo
                exit ${EXIT:-0}
                """.formatted(home.toRealPath()));
        return home;
    }

    /** Creates a Maven that records its call, runs further commands, and creates the jars. */
    private void maven(String also) throws IOException {
        executable(bin.resolve("mvn"), """
                #!/bin/sh
                echo "$*" >> "$CALLS"
                %s
                mkdir -p cli/target bench/target
                echo jar > cli/target/weir.jar
                echo jar > bench/target/weir-bench.jar
                """.formatted(also));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(temp.resolve("calls"));
    }

    private Launch launch(String... args) throws Exception {
        return finish(start(checkout.resolve("weir"), temp, args));
    }

    private Launching start(Path command, Path folder, String... args) throws IOException {
        var line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(args));
        var out = Files.createTempFile(temp, "out", ".txt");
        var err = Files.createTempFile(temp, "err", ".txt");
        var builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new Launching(builder.start(), out, err);
    }

    private static Launch finish(Launching launching) throws Exception {
        var process = launching.process();
        var ended = process.waitFor(LAUNCH_MAX_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("ended within %s s", LAUNCH_MAX_SECONDS).isTrue();
        return new Launch(process.exitValue(), Files.readString(launching.out()), Files.readString(launching.err()));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private static void executable(Path file, String text) throws IOException {
        write(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Optional<Path> installed(String tool) {
        return Stream.of("/bin", "/usr/bin")
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
