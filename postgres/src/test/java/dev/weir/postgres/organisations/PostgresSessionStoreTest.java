package dev.weir.postgres.organisations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.Rights;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.organisations.SessionStore.NewSession;
import dev.weir.postgres.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class PostgresSessionStoreTest {
    private final SessionStore sessions = TestPostgres.postgres().sessions();
    private final String org = TestPostgres.createOrganisation();
    private final String token = TestPostgres.postgres().organisations().createToken(org, "ann");

    private NewSession begin() {
        return sessions.begin(token).orElseThrow();
    }

    private void updateToken(String change) throws Exception {
        TestPostgres.execute("update weir.api_tokens set " + change + " where hash = sha256('" + token + "')");
    }

    @Test
    void a_session_has_the_rights_of_its_token_for_thirty_days() {
        NewSession begun = begin();
        assertThat(begun.session().caller()).isEqualTo(new Caller(org, "ann", Rights.ALL));
        assertThat(Duration.between(Instant.now(), begun.session().expiresAt()))
                .isBetween(Duration.ofDays(29), Duration.ofDays(30).plusMinutes(1));
        assertThat(sessions.find(begun.secret())).contains(begun.session());
        assertThat(begun.toString()).doesNotContain(begun.secret());
        assertThat(sessions.find(token)).as("a token is no session").isEmpty();
        assertThat(sessions.begin(begun.secret())).as("a session is no token").isEmpty();
        assertThat(sessions.begin("unknown")).isEmpty();
    }

    @Test
    void the_secret_is_not_stored() throws Exception {
        String secret = begin().secret();
        TestPostgres.execute("do $$ begin if exists (select from weir.console_sessions s where s::text like '%"
                + secret.substring(secret.length() - 20) + "%') then raise 'stored'; end if; end $$");
    }

    @Test
    void a_session_ends_with_its_token() throws Exception {
        NewSession begun = begin();
        for (String change : List.of("expires_at = 1", "revoked_at = now()")) {
            updateToken(change);
            assertThat(sessions.find(begun.secret())).as(change).isEmpty();
            assertThat(sessions.begin(token)).as(change).isEmpty();
            updateToken("expires_at = null, revoked_at = null");
            assertThat(sessions.find(begun.secret())).isPresent();
        }
        updateToken("revoked_at = now() + interval '1 hour'");
        assertThat(sessions.find(begun.secret()).orElseThrow().expiresAt())
                .as("the end of a token that was replaced")
                .isBefore(Instant.now().plus(Duration.ofMinutes(61)));
    }

    @Test
    void a_session_ends_by_its_age_and_by_signing_out() throws Exception {
        NewSession old = begin();
        NewSession left = begin();
        NewSession other = begin();
        TestPostgres.execute(
                "update weir.console_sessions set expires_at = 1 where hash = sha256('" + old.secret() + "')");
        sessions.end(left.secret());
        assertThat(sessions.find(old.secret())).isEmpty();
        assertThat(sessions.find(left.secret())).isEmpty();
        assertThat(sessions.find(other.secret())).isPresent();
    }

    @Test
    void the_oldest_session_of_a_token_ends_when_it_has_too_many() {
        List<String> secrets = new ArrayList<>();
        for (int i = 0; i < SessionStore.SESSIONS_PER_TOKEN_MAX + 2; i++) {
            secrets.add(begin().secret());
        }
        List<Boolean> found = secrets.stream()
                .map(secret -> sessions.find(secret).isPresent())
                .toList();
        assertThat(found.subList(0, 2)).containsOnly(false);
        assertThat(found.subList(2, found.size())).containsOnly(true);
    }

    @Test
    void a_link_works_once_while_its_token_is_valid() throws Exception {
        String code = sessions.createLink(token).orElseThrow().code();
        assertThat(sessions.beginByLink(code))
                .map(begun -> begun.session().caller().token())
                .contains("ann");
        assertThat(sessions.beginByLink(code)).isEmpty();
        String expired = sessions.createLink(token).orElseThrow().code();
        TestPostgres.execute("update weir.sign_in_links set expires_at = 1 where hash = sha256('" + expired + "')");
        assertThat(sessions.beginByLink(expired)).isEmpty();
        String late = sessions.createLink(token).orElseThrow().code();
        updateToken("revoked_at = now()");
        assertThat(sessions.beginByLink(late)).isEmpty();
        assertThat(sessions.createLink(token)).isEmpty();
    }

    @Test
    void a_token_keeps_its_newest_links_only() {
        List<String> codes = new ArrayList<>();
        for (int i = 0; i <= SessionStore.LINKS_PER_TOKEN_MAX; i++) {
            codes.add(sessions.createLink(token).orElseThrow().code());
        }
        assertThat(sessions.beginByLink(codes.getFirst())).isEmpty();
        assertThat(sessions.beginByLink(codes.getLast())).isPresent();
    }

    @Test
    void the_use_of_a_session_is_a_use_of_its_token() {
        String secret = begin().secret();
        var postgres = TestPostgres.postgres();
        assertThat(postgres.records().lastTokenUses(org)).isEmpty();
        postgres.organisations().recordUses(List.of(secret, "unknown"));
        assertThat(postgres.records().lastTokenUses(org)).containsOnlyKeys("ann");
    }

    @Test
    void two_who_use_a_link_at_once_begin_one_session() throws Exception {
        String code = sessions.createLink(token).orElseThrow().code();
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Optional<NewSession>>> uses = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                uses.add(() -> sessions.beginByLink(code));
            }
            int begun = 0;
            for (var use : threads.invokeAll(uses)) {
                begun += use.get().isPresent() ? 1 : 0;
            }
            assertThat(begun).isEqualTo(1);
        }
    }
}
