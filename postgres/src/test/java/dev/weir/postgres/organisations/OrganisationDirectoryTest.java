package dev.weir.postgres.organisations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.sql.ConnectionPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class OrganisationDirectoryTest {
    private static final int ORGANISATIONS = 90;

    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch enough = new CountDownLatch(1);

    @Test
    void ninety_new_organisations_are_found_at_once_although_one_connection_is_free_late() throws Exception {
        OrganisationStore organisations = TestPostgres.postgres().organisations();
        List<String> names = new ArrayList<>();
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < ORGANISATIONS; i++) {
            names.add(TestPostgres.createOrganisation());
            tokens.add(organisations.createToken(names.getLast(), "test"));
        }
        List<Future<Optional<Caller>>> found = new ArrayList<>();
        List<Future<Boolean>> known = new ArrayList<>();
        try (var pool = new ConnectionPool(TestPostgres.address(), "directory", 1, ConnectionPool.WAIT_MAX);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.execute(() -> pool.runAsEngine("holding the only connection", connection -> occupy()));
            await().until(() -> busy.getCount() == 0);
            var directory = new OrganisationDirectory(pool);
            tokens.forEach(token -> found.add(threads.submit(() -> directory.findByToken(TokenHash.of(token)))));
            names.forEach(name -> known.add(threads.submit(() -> directory
                    .findByName(name)
                    .orElseThrow()
                    .organisation()
                    .name()
                    .equals(name))));
            enough.countDown();
        }
        for (int i = 0; i < ORGANISATIONS; i++) {
            assertThat(found.get(i).get()).map(Caller::org).contains(names.get(i));
            assertThat(known.get(i).get()).isTrue();
        }
    }

    @Test
    void a_revoked_token_and_an_unknown_organisation_are_not_found() throws Exception {
        String org = TestPostgres.createOrganisation();
        OrganisationStore organisations = TestPostgres.postgres().organisations();
        String token = organisations.createToken(org, "test");
        assertThat(organisations.findByToken(token)).map(Caller::org).contains(org);
        TestPostgres.execute("update weir.api_tokens set revoked_at = now() where created_by = 'weir' and org = "
                + "(select number from weir.organisations where name = '" + org + "')");
        assertThat(organisations.findByToken(token)).isEmpty();
        try (var pool = new ConnectionPool(TestPostgres.address(), "directory", 1, ConnectionPool.WAIT_MAX)) {
            assertThat(new OrganisationDirectory(pool).findByName("nobody")).isEmpty();
        }
    }

    private boolean occupy() {
        busy.countDown();
        try {
            enough.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return true;
    }
}
