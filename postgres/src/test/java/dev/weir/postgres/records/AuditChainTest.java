package dev.weir.postgres.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.Command;
import dev.weir.core.command.CreateToken;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.RevokeToken;
import dev.weir.core.command.RotateToken;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenRow;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.engine.records.AuditFilter;
import dev.weir.engine.records.AuditVerification;
import dev.weir.engine.records.PageRequest;
import dev.weir.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks audit chains with SQL, as somebody with full access to the database could, and finds each break. */
@Tag("R4.8")
@Timeout(120)
class AuditChainTest {
    private static final Attribution ANN = new Attribution("ann", ChangeOrigin.CLI, "req-1", "a fault");
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private static final int ENTRIES = 6;

    private final String org = TestPostgres.createOrganisation();

    private void write(int changes) throws Exception {
        try (Weir weir = open()) {
            for (int i = 0; i < changes; i++) {
                Command<?> change = i % 2 == 0 ? new PauseKey(KEY, Moment.NEVER) : new ResumeKey(KEY);
                weir.send(org, change, ANN).get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static Weir open() {
        var postgres = TestPostgres.postgres();
        return Weir.open(postgres.journal(), postgres.records(), new EngineSettings("audit"));
    }

    private AuditVerification.Result verify(@Nullable AuditHead kept) {
        return new AuditVerification(TestPostgres.postgres().records().audit(), org, AuditHead.EMPTY, kept)
                .run(Integer.MAX_VALUE);
    }

    private void tamper(String sql) throws SQLException {
        TestPostgres.execute("set search_path = weir; "
                + sql.replace("ORG", "(select number from organisations where name = '" + org + "')"));
    }

    @Test
    void an_untouched_chain_is_intact_also_after_a_restart() throws Exception {
        write(ENTRIES);
        write(2);
        var result = verify(null);
        assertThat(result.findings()).isEmpty();
        assertThat(result.checked()).isEqualTo(ENTRIES + 2);
        assertThat(result.complete()).isTrue();
        assertThat(result.tail()).isEqualTo(AuditVerification.Tail.UNPROVED);
        write(1);
        assertThat(verify(result.head()).tail()).isEqualTo(AuditVerification.Tail.PROVED);
    }

    static Stream<Arguments> breaks() {
        String where = " where org = ORG and number = ";
        String set = "update audit_entries set ";
        String copied = "(actor, action, target, before, after, previous_hash, hash, at, request_id, reason)";
        return Stream.of(
                Arguments.of("another actor", set + "actor = 'bob'" + where + 3, 3),
                Arguments.of("another reason", set + "reason = null" + where + 2, 2),
                Arguments.of("another state before", set + "before = '[]'" + where + 4, 4),
                Arguments.of("another time", set + "at = at + 1" + where + 1, 1),
                Arguments.of("another origin", set + "origin = 'nowhere'" + where + 5, 5),
                Arguments.of("another request", set + "request_id = ''" + where + 6, 6),
                Arguments.of("another hash", set + "hash = repeat('a', 64)" + where + 3, 3),
                Arguments.of("one removed", "delete from audit_entries" + where + 3, 3),
                Arguments.of("the first one removed", "delete from audit_entries" + where + 1, 1),
                Arguments.of(
                        "two that changed places",
                        set + "number = number + 100 where org = ORG and number in (2, 3); " + set + "number = 3"
                                + where + "102; " + set + "number = 2" + where + 103,
                        2),
                Arguments.of(
                        "one inserted at the end",
                        "insert into audit_entries select 7, at, org, actor, origin, request_id, action, target, reason,"
                                + " before, after, previous_hash, hash from audit_entries" + where + 2,
                        7),
                Arguments.of(
                        "one copied over another",
                        set + copied + " = (select " + copied.substring(1, copied.length() - 1) + " from audit_entries"
                                + where + "2)" + where + 4,
                        4));
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void a_broken_chain_is_found_where_it_is_broken(String name, String sql, long number) throws Exception {
        write(ENTRIES);
        tamper(sql);
        var result = verify(null);
        assertThat(result.isIntact()).as(name).isFalse();
        assertThat(result.findings().getFirst().number())
                .as("%s: %s", name, result.findings())
                .isEqualTo(number);
    }

    @Test
    void an_entry_that_was_replaced_with_its_right_hash_breaks_the_next_one_or_differs_from_the_head()
            throws Exception {
        write(ENTRIES);
        AuditHead kept = verify(null).head();
        forge(3);
        assertThat(verify(null).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problem()).contains("does not follow entry 3"));
        forge(ENTRIES);
        tamper("delete from audit_entries where org = ORG and number <= 3");
        assertThat(verify(kept).findings())
                .anySatisfy(finding -> assertThat(finding.problem()).contains("differs from the head"));
    }

    /** Replaces an entry by one with another actor and a hash that fits. */
    private void forge(long number) throws SQLException {
        AuditEntry old = TestPostgres.postgres()
                .records()
                .audit()
                .chain(org, number - 1, 1)
                .getFirst();
        var before = new AuditHead(number - 1, old.previousHash());
        var bob = new Attribution(
                "bob", old.by().origin(), old.by().requestId(), old.by().reason());
        AuditEntry forged = AuditEntry.after(before, bob, old.change(), old.at());
        tamper("update audit_entries set actor = 'bob', hash = '" + forged.hash() + "' where org = ORG and number = "
                + number);
    }

    @Test
    void a_truncated_end_is_found_only_with_a_head_that_was_kept() throws Exception {
        write(ENTRIES);
        AuditHead kept = verify(null).head();
        tamper("delete from audit_entries where org = ORG and number > 4");
        assertThat(verify(null).isIntact()).isTrue();
        assertThat(verify(null).tail()).isEqualTo(AuditVerification.Tail.UNPROVED);
        var found = verify(kept);
        assertThat(found.tail()).isEqualTo(AuditVerification.Tail.MISSING);
        assertThat(found.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problem()).contains("expected at least 6 entries, found 4"));
        tamper("delete from audit_entries where org = ORG");
        assertThat(verify(kept).tail()).isEqualTo(AuditVerification.Tail.MISSING);
    }

    @Test
    void a_verification_continues_where_the_last_one_ended() throws Exception {
        write(ENTRIES);
        tamper("update audit_entries set actor = 'bob' where org = ORG and number = 5");
        var store = TestPostgres.postgres().records().audit();
        var first = new AuditVerification(store, org, AuditHead.EMPTY, null).run(4);
        assertThat(first.complete()).isFalse();
        assertThat(first.isIntact()).isTrue();
        var rest = new AuditVerification(store, org, first.head(), null).run(4);
        assertThat(rest.complete()).isTrue();
        assertThat(rest.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.number()).isEqualTo(5));
    }

    @Test
    void roles_that_serve_requests_can_only_append() throws Exception {
        write(1);
        for (String role : List.of("weir_engine", "weir_request", "weir_starter")) {
            for (String sql : List.of(
                    "update weir.audit_entries set actor = 'bob'",
                    "delete from weir.audit_entries",
                    "truncate weir.audit_entries")) {
                assertThatThrownBy(() -> TestPostgres.execute("set role " + role + "; " + sql))
                        .as("%s: %s", role, sql)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("42501"));
            }
        }
    }

    @Test
    void entries_are_read_newest_first_by_filter() throws Exception {
        write(ENTRIES);
        var store = TestPostgres.postgres().records().audit();
        var page = store.entries(org, AuditFilter.ALL, new PageRequest("", 4));
        assertThat(page.entries()).extracting(AuditEntry::number).containsExactly(6L, 5L, 4L, 3L);
        assertThat(store.entries(org, AuditFilter.ALL, new PageRequest(page.next(), 4))
                        .entries())
                .extracting(AuditEntry::number)
                .containsExactly(2L, 1L);
        var pauses = new AuditFilter("ann", "pause_key", "key:k", Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(store.entries(org, pauses, new PageRequest("", 10)).entries())
                .hasSize(3);
        var nobody = new AuditFilter("bob", null, null, Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(store.entries(org, nobody, new PageRequest("", 10)).entries())
                .isEmpty();
        assertThat(page.entries().getFirst().by()).isEqualTo(ANN);
    }

    @Test
    void tokens_of_the_loop_can_be_used_until_they_are_revoked() throws Exception {
        var organisations = TestPostgres.postgres().organisations();
        var first = TokenSecret.create();
        var second = TokenSecret.create();
        var rights = Rights.of(Role.WORKER);
        try (Weir weir = open()) {
            var row = new TokenRow("ci", first.hash(), rights, 0, Moment.NEVER, TokenRow.Source.of(ANN));
            weir.send(org, new CreateToken(row, Rights.ALL), ANN).get(60, TimeUnit.SECONDS);
            assertThat(organisations.findByToken(first.value()).orElseThrow().rights())
                    .isEqualTo(rights);
            var source = new TokenRow.Source("ann", "req-2");
            long hour = Moment.micros(Duration.ofHours(1));
            weir.send(org, new RotateToken("ci", second.hash(), hour, Rights.ALL, source), ANN)
                    .get(60, TimeUnit.SECONDS);
        }
        assertThat(organisations.findByToken(first.value()))
                .as("the overlap is not over")
                .isPresent();
        assertThat(organisations.findByToken(second.value())).isPresent();
        try (Weir weir = open()) {
            assertThat(weir.send(org, new RevokeToken("ci", Rights.ALL), ANN).get(60, TimeUnit.SECONDS))
                    .isEqualTo(RevokeToken.Answer.REVOKED);
        }
        assertThat(organisations.findByToken(first.value())).isEmpty();
        assertThat(organisations.findByToken(second.value())).isEmpty();
        assertThat(verify(null).checked()).isEqualTo(3);
    }
}
