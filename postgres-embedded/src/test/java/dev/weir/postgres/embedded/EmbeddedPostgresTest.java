package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class EmbeddedPostgresTest {
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

    @TempDir
    private static Path temporary;

    private static Path directory;

    @BeforeAll
    static void make_a_folder_that_all_accounts_can_pass() throws IOException {
        directory = TestMachine.makeTraversable(temporary).resolve("data directory");
    }

    @AfterEach
    void nothing_is_left_running() {
        TestMachine.awaitNothingRuns(directory);
    }

    @Test
    void a_first_open_makes_a_server_with_checksums_passwords_and_an_order_of_text_of_its_own() throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThat(TestMachine.value(postgres, "show server_version")).startsWith("18.");
            assertThat(TestMachine.value(postgres, "show data_checksums")).isEqualTo("on");
            assertThat(TestMachine.value(postgres, "show server_encoding")).isEqualTo("UTF8");
            assertThat(TestMachine.value(postgres, "select rolpassword from pg_authid where rolname = current_user"))
                    .startsWith("SCRAM-SHA-256$");
            assertThat(TestMachine.value(
                            postgres,
                            "select datlocprovider::text || datlocale from pg_database where datname = 'weir'"))
                    .isEqualTo("bC.UTF-8");
            assertThat(TestMachine.value(postgres, "select distinct auth_method from pg_hba_file_rules"))
                    .isEqualTo("scram-sha-256");
            assertThat(TestMachine.servers(directory)).containsExactly(postgres.pid());
        }
    }

    @Test
    void rows_are_there_after_a_reopen() throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            TestMachine.execute(postgres, "create table reopened as select 7::bigint as n");
        }
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThat(TestMachine.rows(postgres, "reopened")).containsExactly(7L);
        }
    }

    @Test
    void a_wrong_password_is_refused() throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "guess"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password())
                    .close();
        }
    }

    @Test
    void only_the_owner_reads_the_password() throws Exception {
        EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT).close();
        for (var secret : List.of("password", "postgres.log")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(secret))))
                    .isEqualTo("rw-------");
        }
        assertThat(directory.resolve("password.initdb")).doesNotExist();
        assertThat(Files.readString(directory.resolve("postgres.log")))
                .doesNotContain(Files.readString(directory.resolve("password")).strip());
    }

    @Test
    void it_listens_on_the_loopback_only() throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThat(TestMachine.value(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(TestMachine.value(postgres, "show unix_socket_directories"))
                    .isEmpty();
            for (var address : otherAddresses()) {
                assertThatThrownBy(() -> connect(address, postgres.port()))
                        .as("%s", address)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void a_second_opener_is_refused_with_the_pid_of_the_first() throws Exception {
        var pid = ProcessHandle.current().pid();
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThatThrownBy(() -> EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT))
                    .isInstanceOf(OpenFailed.class)
                    .hasMessageContaining("in use by this process itself, pid " + pid);
            try (var other = OwnerProcess.start(directory)) {
                assertThat(other.awaitRefused())
                        .contains("in use by the process with pid " + pid, directory.toString());
            }
            assertThat(TestMachine.servers(directory)).containsExactly(postgres.pid());
        }
        try (var other = OwnerProcess.start(directory)) {
            other.awaitOpened();
            assertThatThrownBy(() -> EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT))
                    .hasMessageContaining("in use by the process with pid " + other.pid());
            other.finish();
        }
    }

    @Test
    void nothing_in_a_file_or_in_sql_makes_it_less_durable() throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            TestMachine.execute(postgres, "alter system set fsync = off");
            TestMachine.execute(postgres, "select pg_reload_conf()");
        }
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            for (var setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
                assertThat(TestMachine.value(postgres, "show " + setting)).isEqualTo("on");
            }
            TestMachine.execute(postgres, "alter system reset fsync");
        }
    }

    @Test
    void closing_twice_does_not_take_the_directory_from_its_next_owner() throws Exception {
        var first = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT);
        first.close();
        assertThat(first.isRunning()).isFalse();
        try (var second = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            first.close();
            assertThatThrownBy(() -> EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT))
                    .isInstanceOf(OpenFailed.class);
            assertThat(second.isRunning()).isTrue();
        }
    }

    @Test
    void closing_ends_open_sessions() throws Exception {
        var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT);
        try (var session = postgres.dataSource().getConnection()) {
            session.setAutoCommit(false);
            session.createStatement().execute("select 1");
            postgres.close();
            assertThat(postgres.isRunning()).isFalse();
        }
    }

    @Test
    void a_port_in_use_is_named_with_the_message_of_the_server() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            var settings = EmbeddedSettings.DEFAULT.withPort(taken.getLocalPort());
            assertThatThrownBy(() -> EmbeddedPostgres.open(directory, settings))
                    .isInstanceOf(OpenFailed.class)
                    .hasMessageContaining("on port " + taken.getLocalPort())
                    .hasMessageContaining("the port is in use")
                    .hasMessageContaining("could not bind IPv4 address")
                    .hasMessageContaining("postgres.log");
        }
    }

    @Test
    void a_server_that_died_is_seen_and_the_next_open_recovers_its_rows() throws Exception {
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            TestMachine.execute(postgres, "create table crashed as select 8::bigint as n");
            ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
            await().until(() -> !postgres.isRunning());
        }
        try (var postgres = EmbeddedPostgres.open(directory, EmbeddedSettings.DEFAULT)) {
            assertThat(TestMachine.rows(postgres, "crashed")).containsExactly(8L);
        }
    }

    @Test
    void a_server_that_recovers_for_longer_than_a_start_may_take_is_waited_for() throws Exception {
        var slow = temporary.resolve("slow");
        try (var postgres = EmbeddedPostgres.open(slow, EmbeddedSettings.DEFAULT)) {
            TestMachine.execute(postgres, "create table recovered as select 9::bigint as n");
        }
        // The server recovers from an archive that takes seconds to report that it is empty.
        Files.writeString(
                slow.resolve("data/postgresql.auto.conf"),
                "restore_command = 'sleep 3; false'\nhot_standby = off\n",
                StandardOpenOption.APPEND);
        Files.createFile(slow.resolve("data/recovery.signal"));
        var shortTimeout =
                new EmbeddedSettings(EmbeddedSettings.ANY_PORT, 20, 32, Duration.ofSeconds(1), Duration.ofSeconds(30));
        var begin = System.nanoTime();
        try (var postgres = EmbeddedPostgres.open(slow, shortTimeout)) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(3));
            assertThat(TestMachine.rows(postgres, "recovered")).containsExactly(9L);
        }
        TestMachine.awaitNothingRuns(slow);
        assertThat(Files.readString(slow.resolve("postgres.log"))).contains("starting archive recovery");
    }

    @Test
    void a_directory_of_another_major_version_is_refused_untouched() throws Exception {
        var old = Files.createDirectories(temporary.resolve("old/data"));
        Files.writeString(old.resolve("PG_VERSION"), "17\n");
        assertThatThrownBy(() -> EmbeddedPostgres.open(temporary.resolve("old"), EmbeddedSettings.DEFAULT))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("PostgreSQL 17 created ")
                .hasMessageContaining("PostgreSQL 18")
                .hasMessageContaining("pg_dump");
        assertThat(old).isDirectoryNotContaining(file -> !file.endsWith("PG_VERSION"));
    }

    @Test
    void a_file_where_the_directory_should_be_is_named() throws Exception {
        var file = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(() -> EmbeddedPostgres.open(file.resolve("below"), EmbeddedSettings.DEFAULT))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void data_that_no_initdb_made_is_refused() throws Exception {
        Files.createDirectories(temporary.resolve("strange/data/PG_VERSION"));
        assertThatThrownBy(() -> EmbeddedPostgres.open(temporary.resolve("strange"), EmbeddedSettings.DEFAULT))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("cannot open " + temporary.toRealPath().resolve("strange"));
        Files.createDirectories(temporary.resolve("empty/data"));
        assertThatThrownBy(() -> EmbeddedPostgres.open(temporary.resolve("empty"), EmbeddedSettings.DEFAULT))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("Weir did not create ");
    }

    private static List<InetAddress> otherAddresses() throws Exception {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList();
    }

    private static void connect(InetAddress address, int port) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_TIMEOUT_MILLIS);
        }
    }
}
