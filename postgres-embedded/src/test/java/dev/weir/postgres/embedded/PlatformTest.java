package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlatformTest {
    @TempDir
    private Path root;

    @Test
    void linux_with_the_gnu_c_library_has_programs() throws Exception {
        Files.createFile(Files.createDirectories(root.resolve("lib64")).resolve("ld-linux-x86-64.so.2"));
        assertThat(Platform.of("Linux", "amd64", root).archive()).isEqualTo("postgres-linux-x86_64.txz");
    }

    @Test
    void a_mac_has_programs() throws Exception {
        assertThat(Platform.of("Mac OS X", "aarch64", root).isMac()).isTrue();
    }

    @Test
    void linux_with_musl_is_refused_with_advice() {
        assertThatThrownBy(() -> Platform.of("Linux", "aarch64", root))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("needs the GNU C library")
                .hasMessageContaining("ld-linux-aarch64.so.1")
                .hasMessageContaining("your own PostgreSQL");
    }

    @Test
    void an_unsupported_system_is_refused_with_advice() {
        assertThatThrownBy(() -> Platform.of("Windows 11", "amd64", root))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("no embedded PostgreSQL for Windows 11 on amd64")
                .hasMessageContaining("your own PostgreSQL");
    }
}
