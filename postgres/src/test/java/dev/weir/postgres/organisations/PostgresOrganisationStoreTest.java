package dev.weir.postgres.organisations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.organisations.ApiToken;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
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
    void a_token_speaks_for_its_organisation_until_it_is_revoked() {
        OrganisationRecord org = organisations.createOrganisation(TestPostgres.createOrganisation());
        String token = organisations.createToken(org.name(), "ci");
        String second = organisations.createToken(org.name(), "ci");
        assertThat(token).isNotEqualTo(second).hasSizeGreaterThan(40);
        assertThat(organisations.findByToken(token)).contains(org);
        assertThat(organisations.findByToken(token + "x")).isEmpty();
        assertThat(organisations.tokens(org.name())).hasSize(2).allMatch(each -> each.revokedAt() == null);
        assertThat(organisations.revokeTokens(org.name(), "ci")).isEqualTo(2);
        assertThat(organisations.findByToken(token)).isEmpty();
        assertThat(organisations.tokens(org.name())).extracting(ApiToken::name).containsExactly("ci", "ci");
        assertThatThrownBy(() -> organisations.createToken("nobody at all", "ci"))
                .hasMessageContaining("nobody at all");
    }
}
