package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the message about a denied folder names the account, the file, the denied access and a fix. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
@SuppressWarnings("NullAway.Init") // set before the first test
class AccessDeniedTest {
    @TempDir
    private static Path given;

    private static Path temporary;
    private static List<String> prefix;
    private static String classPath;

    @BeforeAll
    static void become_somebody_else() throws Exception {
        prefix = TestMachine.asNobody();
        temporary = TestMachine.makeTraversable(given).toRealPath();
        classPath = OwnerProcess.copyClassPath(
                TestMachine.makeTraversable(Files.createDirectory(temporary.resolve("classes"))));
    }

    private static String refusal(Path directory) throws IOException {
        try (var owner = OwnerProcess.start(prefix, classPath, directory)) {
            return owner.awaitRefused();
        }
    }

    private static Path folder(String name, String permissions) throws IOException {
        var folder = Files.createDirectory(temporary.resolve(name));
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void a_folder_that_cannot_be_made_is_named_with_the_one_that_may_not_be_written_to() throws Exception {
        var directory = temporary.resolve("new");
        assertThat(refusal(directory))
                .startsWith("cannot create the data directory " + directory + ": nobody may not write to " + temporary
                        + ", which belongs to root (rwxr-xr-x): ")
                .contains("mkdir -p " + directory + " && chown nobody " + directory)
                .doesNotContain("PostgreSQL");
    }

    @Test
    void a_folder_of_another_account_is_named_with_what_was_denied() throws Exception {
        var directory = folder("closed", "rwx--x--x");
        assertThat(refusal(directory))
                .contains("nobody may not write to " + directory
                        + ", which belongs to root (rwx--x--x): run Weir as root")
                .contains("'chown -R nobody " + directory + "' as root")
                .doesNotContain("PostgreSQL");
    }

    @Test
    void a_file_of_another_account_is_named_with_the_command_that_gives_the_folder() throws Exception {
        var directory = folder("used", "rwxrwxrwx");
        Files.createFile(directory.resolve("weir.lock"), DataDirectory.permissions("rw-r--r--"));
        assertThat(refusal(directory))
                .contains("nobody may not write to " + directory.resolve("weir.lock") + ", which belongs to root (rw-r")
                .contains("'chown -R nobody " + directory + "' as root");
    }

    @Test
    void a_folder_above_that_may_not_be_entered_is_named() throws Exception {
        var above = folder("above", "rwx------");
        assertThat(refusal(above.resolve("data")))
                .contains("nobody may not enter " + above + ", which belongs to root (rwx------): run Weir as root")
                .contains("'chmod o+x " + above + "' as root");
    }
}
