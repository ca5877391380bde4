package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.state.Attribution;
import dev.weir.engine.organisations.OrganisationStore.StarterLogin;
import dev.weir.engine.request.StartRequest;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class StarterLoginTest {
    private static final StartRequest START = StartRequest.of("r", "w", JsonNodeFactory.instance.objectNode());

    private static Connection connect(StarterLogin login) throws Exception {
        String url = TestPostgres.address().url();
        return DriverManager.getConnection(url, login.login(), login.password());
    }

    @Test
    void a_login_leaves_starts_for_its_organisation_and_sees_no_other() throws Exception {
        String mine = TestPostgres.createOrganisation();
        String other = TestPostgres.createOrganisation();
        var organisations = TestPostgres.postgres().organisations();
        organisations.createStarter(mine, Attribution.WEIR);
        StarterLogin login = organisations.createStarter(mine, Attribution.WEIR);
        try (var connection = connect(login);
                var statement = connection.createStatement()) {
            Inbox.startIn(connection, mine, START);
            assertThatThrownBy(() -> Inbox.startIn(connection, other, START)).hasMessageContaining("not found");
            assertThatThrownBy(() -> statement.execute(
                            "insert into weir.inbox (org, request) select 1, '{}' where 1 <> (select number from"
                                    + " weir.organisations)"))
                    .hasMessageContaining("row-level security");
            try (var found = statement.executeQuery("select name from weir.organisations")) {
                assertThat(found.next()).isTrue();
                assertThat(found.getString(1)).isEqualTo(mine);
                assertThat(found.next()).isFalse();
            }
            assertThatThrownBy(() -> statement.execute("select * from weir.inbox"))
                    .hasMessageContaining("permission");
            assertThatThrownBy(() -> statement.execute("delete from weir.organisation_starters"))
                    .hasMessageContaining("permission");
        }
    }
}
