package dev.weir.postgres.organisations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.organisations.ApiToken;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.postgres.Server;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresOrganisationStoreTest {
    private final OrganisationStore tenants = Server.postgres().tenants();

    @Test
    void an_organisation_that_is_made_twice_is_one() {
        OrganisationRecord made = tenants.createOrganisation("twice");
        assertThat(tenants.createOrganisation("twice")).isEqualTo(made);
        assertThat(tenants.findOrganisation("twice")).contains(made);
        assertThat(tenants.findOrganisation("never")).isEmpty();
        assertThat(made.shard()).isBetween(0, Journal.SHARDS - 1);
        assertThatThrownBy(() -> tenants.createOrganisation(" ")).hasMessageContaining("1 to 100 characters");
    }

    @Test
    void organisations_are_spread_over_shards_and_listed_by_name() {
        for (int i = 0; i < 50; i++) {
            tenants.createOrganisation("spread-" + i);
        }
        List<OrganisationRecord> all = new ArrayList<>();
        var page = tenants.list(new PageRequest("", 7));
        all.addAll(page.entries());
        while (!page.next().isEmpty()) {
            page = tenants.list(new PageRequest(page.next(), 7));
            all.addAll(page.entries());
        }
        assertThat(all).extracting(OrganisationRecord::name).isSorted().doesNotHaveDuplicates();
        assertThat(all.stream()
                        .filter(tenant -> tenant.name().startsWith("spread-"))
                        .count())
                .isEqualTo(50);
        assertThat(all.stream().map(OrganisationRecord::shard).distinct().count())
                .isGreaterThan(20);
    }

    @Test
    void a_token_speaks_for_its_organisation_until_it_is_revoked() {
        OrganisationRecord org = tenants.createOrganisation(Server.organisation());
        String token = tenants.createToken(org.name(), "ci");
        String second = tenants.createToken(org.name(), "ci");
        assertThat(token).isNotEqualTo(second).hasSizeGreaterThan(40);
        assertThat(tenants.findByToken(token)).contains(org);
        assertThat(tenants.findByToken(token + "x")).isEmpty();
        assertThat(tenants.tokens(org.name())).hasSize(2).allMatch(each -> each.revokedAt() == null);
        assertThat(tenants.revokeTokens(org.name(), "ci")).isEqualTo(2);
        assertThat(tenants.findByToken(token)).isEmpty();
        assertThat(tenants.tokens(org.name())).extracting(ApiToken::name).containsExactly("ci", "ci");
        assertThatThrownBy(() -> tenants.createToken("nobody at all", "ci")).hasMessageContaining("nobody at all");
    }
}
