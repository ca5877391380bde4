package dev.weir.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.World;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import org.junit.jupiter.api.Test;

class RevokeTokenTest {
    private final World world = new World();

    @Test
    void a_revoked_token_is_gone_and_its_name_is_free() {
        var token = CreateTokenTest.token("ci", Rights.of(Role.WORKER), Moment.NEVER);
        world.handle(new CreateToken(token, Rights.ALL));
        assertThat(world.handle(new RevokeToken("ci", Rights.of(Role.ADMIN)))).isEqualTo(RevokeToken.Answer.REVOKED);
        assertThat(world.handle(new RevokeToken("ci", Rights.of(Role.ADMIN)))).isEqualTo(RevokeToken.Answer.NOT_FOUND);
        assertThat(world.handle(new CreateToken(token, Rights.ALL))).isEqualTo(CreateToken.Answer.CREATED);
    }

    @Test
    void an_admin_cannot_revoke_the_token_of_an_administrator() {
        world.handle(new CreateToken(CreateTokenTest.token("root", Rights.ALL, Moment.NEVER), Rights.ALL));
        assertThat(world.handle(new RevokeToken("root", Rights.of(Role.ADMIN))))
                .isEqualTo(RevokeToken.Answer.TOO_MANY_RIGHTS);
    }
}
