package dev.weir.postgres.organisations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.core.state.Move;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Suspension;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.organisations.OrganisationStore.RenameOutcome;
import dev.weir.engine.records.AuditFilter;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.AuditVerification;
import dev.weir.engine.records.PageRequest;
import dev.weir.postgres.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresOrganisationStoreTest {
    private final OrganisationStore organisations = TestPostgres.postgres().organisations();

    @Test
    void an_organisation_that_is_made_twice_is_one() {
        OrganisationRecord made = organisations.createOrganisation("twice");
        assertThat(organisations.createOrganisation("twice")).isEqualTo(made);
        assertThat(organisations.findOrganisation("twice")).contains(made);
        assertThat(organisations.findOrganisation("never")).isEmpty();
        assertThat(made.shard()).isBetween(0, Journal.SHARDS - 1);
        assertThatThrownBy(() -> organisations.createOrganisation(" ")).hasMessageContaining("1 to 100 characters");
    }

    @Test
    void organisations_are_spread_over_shards_and_listed_by_name() {
        for (int i = 0; i < 50; i++) {
            organisations.createOrganisation("spread-" + i);
        }
        List<OrganisationRecord> all = new ArrayList<>();
        var page = organisations.list(new PageRequest("", 7));
        all.addAll(page.entries());
        while (!page.next().isEmpty()) {
            page = organisations.list(new PageRequest(page.next(), 7));
            all.addAll(page.entries());
        }
        assertThat(all).extracting(OrganisationRecord::name).isSorted().doesNotHaveDuplicates();
        assertThat(all.stream()
                        .filter(organisation -> organisation.name().startsWith("spread-"))
                        .count())
                .isEqualTo(50);
        assertThat(all.stream().map(OrganisationRecord::shard).distinct().count())
                .isGreaterThan(20);
    }

    @Test
    void a_token_speaks_for_its_organisation_with_all_rights() {
        OrganisationRecord org = organisations.createOrganisation(TestPostgres.createOrganisation());
        String token = organisations.createToken(org.name(), "ci");
        String second = organisations.createToken(org.name(), "ci");
        assertThat(token).isNotEqualTo(second).hasSizeGreaterThan(40);
        assertThat(organisations.findByToken(token)).contains(new Caller(org.name(), "ci", Rights.ALL));
        assertThat(organisations.findByToken(second)).contains(new Caller(org.name(), "ci 2", Rights.ALL));
        assertThat(organisations.findByToken(token + "x")).isEmpty();
        assertThatThrownBy(() -> organisations.createToken("nobody at all", "ci"))
                .hasMessageContaining("nobody at all");
    }

    @Test
    void an_expired_token_and_one_whose_overlap_is_over_are_not_found() throws Exception {
        String org = TestPostgres.createOrganisation();
        String token = organisations.createToken(org, "ci");
        for (String change : List.of("expires_at = 1", "revoked_at = now()")) {
            TestPostgres.execute("update weir.api_tokens set " + change + " where hash = sha256('" + token + "')");
            assertThat(organisations.findByToken(token)).as(change).isEmpty();
            TestPostgres.execute("update weir.api_tokens set expires_at = null, revoked_at = now() + interval '1 hour'"
                    + " where hash = sha256('" + token + "')");
            assertThat(organisations.findByToken(token)).isPresent();
        }
    }

    @Test
    void the_last_use_of_a_token_is_recorded() {
        String org = TestPostgres.createOrganisation();
        String token = organisations.createToken(org, "ci");
        var records = TestPostgres.postgres().records();
        assertThat(records.lastTokenUses(org)).isEmpty();
        organisations.recordUses(List.of(token, "unknown"));
        assertThat(records.lastTokenUses(org)).containsOnlyKeys("ci");
    }

    @Test
    void a_former_name_stays_taken_and_the_administrations_chain_is_intact_after_changes_of_both_writers() {
        String org = TestPostgres.createOrganisation();
        var by = new Attribution("ann", ChangeOrigin.API, "request", "grown \u00e9\ud83d\ude00");
        var postgres = TestPostgres.postgres();
        try (var ownership = postgres.journal().take(postgres.journal().shardOf(org), "test")) {
            var change = new AuditEntry.Change("suspend_organisation", "organisation:" + org, null, "{}");
            for (int i = 0; i < 2; i++) {
                try (var transaction = ownership.begin()) {
                    var suspended = new Move.SuspensionChanged(new Suspension(i, "unpaid"), i);
                    var audited = new Move.AdministrationAudited(by, change, i);
                    transaction.write(org, List.of(suspended, audited, audited));
                    transaction.commit();
                }
            }
            assertThat(organisations.findOrganisation(org).orElseThrow().suspension())
                    .isEqualTo(new Suspension(1, "unpaid"));
            assertThat(organisations.rename(org, org + "-new", by)).isEqualTo(RenameOutcome.RENAMED);
            assertThatThrownBy(ownership::begin).as("its memory").isInstanceOf(JournalFailure.Fenced.class);
        }
        assertThat(organisations.rename(org, "x", by)).isEqualTo(RenameOutcome.NOT_FOUND);
        assertThat(organisations.createOrganisation(org, by)).isEmpty();
        String other = TestPostgres.createOrganisation();
        assertThat(organisations.rename(other, org, by)).isEqualTo(RenameOutcome.NAME_TAKEN);
        assertThat(organisations.findOrganisation(org)).isEmpty();
        assertThat(postgres.journal().shardOf(org + "-new")).isBetween(0, Journal.SHARDS - 1);
        var audit = postgres.records().audit();
        var result = new AuditVerification(audit, AuditStore.ADMINISTRATION, AuditHead.EMPTY, null).run(100_000);
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void organisations_and_first_tokens_are_in_the_audit_of_the_administration() {
        String org = TestPostgres.createOrganisation();
        organisations.createOrganisation(org);
        organisations.createToken(org, "ci");
        var audit = TestPostgres.postgres().records().audit();
        var target = new AuditFilter(null, null, "organisation:" + org, Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(audit.entries(AuditStore.ADMINISTRATION, target, new PageRequest("", 10))
                        .entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.change().action()).isEqualTo("create_organisation"));
        var token = new AuditFilter(null, null, "token:" + org + "/ci", Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(audit.entries(AuditStore.ADMINISTRATION, token, new PageRequest("", 10))
                        .entries())
                .hasSize(1);
        var result = new AuditVerification(audit, AuditStore.ADMINISTRATION, AuditHead.EMPTY, null).run(100_000);
        assertThat(result.findings()).isEmpty();
        assertThat(result.checked()).isGreaterThan(1);
    }
}
