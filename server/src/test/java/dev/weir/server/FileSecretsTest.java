package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init") // set before the first test
class FileSecretsTest {
    private final List<String> messages = new ArrayList<>();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void make() throws IOException {
        file = folder.resolve("secrets.env");
        write("# of the payment provider\n\nBILLING = a=b c\nacme/BILLING='of acme '\n QUOTED=\"x\"\nEMPTY=\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void a_line_is_a_name_and_a_value_of_the_first_organisation_or_of_one_that_is_named() throws IOException {
        var secrets = FileSecrets.open(file, messages::add);
        assertThat(secrets.find("default", "BILLING")).contains("a=b c");
        assertThat(secrets.find("acme", "BILLING")).contains("of acme ");
        assertThat(secrets.find("default", "QUOTED")).contains("x");
        assertThat(secrets.find("default", "EMPTY")).contains("");
        assertThat(secrets.find("other", "BILLING")).isEmpty();
        assertThat(secrets.find("default", "NOTHING")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
    void a_file_that_is_open_to_others_is_refused(String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        assertThatThrownBy(() -> FileSecrets.open(file, messages::add))
                .isInstanceOf(NodeStartFailed.class)
                .hasMessageContaining("only its owner may read")
                .hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void an_unreadable_file_is_refused_without_revealing_a_value() throws IOException {
        write("A=1\nno equals sign canary\n");
        refused("line 2");
        write("A=canary\nB=2\nA=canary\n");
        refused("found A a second time on line 3");
        write("1A=canary\n");
        refused("line 1");
        Files.write(file, new byte[] {'A', '=', (byte) 0xC3, (byte) 0x28});
        refused("UTF-8");
        Files.write(file, new byte[FileSecrets.BYTES_MAX + 1]);
        refused("at most");
        Files.delete(file);
        refused("file not found");
    }

    private void refused(String why) {
        assertThatThrownBy(() -> FileSecrets.open(file, messages::add))
                .isInstanceOf(NodeStartFailed.class)
                .hasMessageContaining(why)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).doesNotContain("canary"));
    }

    @Test
    void a_value_can_be_replaced_while_the_node_runs_and_an_invalid_file_changes_nothing() throws IOException {
        var secrets = FileSecrets.open(file, messages::add);
        write("BILLING=new\n");
        assertThat(secrets.find("default", "BILLING")).contains("new");
        assertThat(secrets.find("default", "QUOTED")).isEmpty();
        write("spoilt\n");
        assertThat(secrets.find("default", "BILLING")).contains("new");
        assertThat(messages).singleElement().asString().contains("keeps using the previous ones", "line 1");
        assertThat(secrets.find("default", "BILLING")).contains("new");
        assertThat(messages).as("logged once").hasSize(1);
    }

    @Test
    void replaced_values_are_remembered_so_that_late_reports_do_not_show_them() throws IOException {
        var secrets = FileSecrets.open(file, messages::add);
        String first = secrets.find("default", "BILLING").orElseThrow();
        assertThat(secrets.formerValues("default", "BILLING")).isEmpty();
        for (int i = 1; i <= FileSecrets.FORMER_VALUES_MAX; i++) {
            write("BILLING=value-" + i + "\n");
            assertThat(secrets.formerValues("default", "BILLING")).hasSize(i).startsWith(first);
        }
        write("OTHER=x\n");
        assertThat(secrets.formerValues("default", "BILLING"))
                .as("bounded")
                .hasSize(FileSecrets.FORMER_VALUES_MAX)
                .doesNotContain(first);
    }

    private void write(String text) throws IOException {
        boolean there = Files.exists(file);
        FileTime before = there ? Files.getLastModifiedTime(file) : FileTime.from(Instant.EPOCH);
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        // Two changes may be closer together than a file system's clock can distinguish.
        Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1_000));
    }
}
