package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenRow;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RotateTokenTest {
    private final World world = new World();

    private RotateToken.Answer rotate(Rights caller, String request) {
        return world.handle(
                new RotateToken("ci", "cd".repeat(32), 60 * SECOND, caller, new TokenRow.Source("bob", request)));
    }

    private void create(Rights rights, long expiresAt) {
        world.handle(new CreateToken(CreateTokenTest.token("ci", rights, expiresAt), Rights.ALL));
    }

    @Test
    void a_rotated_token_keeps_its_rights_and_its_expiry() {
        create(Rights.of(Role.WORKER), world.now + 600 * SECOND);
        assertThat(rotate(Rights.ALL, "one")).isInstanceOf(RotateToken.Answer.Rotated.class);
        TokenRow token =
                Objects.requireNonNull(world.org.rows().access().tokens().get("ci"));
        assertThat(token.hash()).startsWith("cdcd");
        assertThat(token.rights()).isEqualTo(Rights.of(Role.WORKER));
        assertThat(token.expiresAt()).isEqualTo(world.now + 600 * SECOND);
        assertThat(world.moves).contains(new Move.TokenRotated(token, world.now + 60 * SECOND, world.now));
    }

    @Test
    void the_same_request_does_not_rotate_twice() {
        create(Rights.of(Role.WORKER), world.now + 600 * SECOND);
        rotate(Rights.ALL, "one");
        assertThat(rotate(Rights.ALL, "one")).isInstanceOf(RotateToken.Answer.Repeated.class);
        assertThat(rotate(Rights.ALL, "two")).isInstanceOf(RotateToken.Answer.Rotated.class);
    }

    @Test
    void a_token_with_more_rights_or_an_expired_one_is_not_rotated() {
        assertThat(rotate(Rights.ALL, "one")).isInstanceOf(RotateToken.Answer.NotFound.class);
        create(Rights.ALL, world.now + SECOND);
        assertThat(rotate(Rights.of(Role.ADMIN), "one")).isInstanceOf(RotateToken.Answer.TooManyRights.class);
        world.passTime(SECOND);
        assertThat(rotate(Rights.ALL, "one")).isInstanceOf(RotateToken.Answer.Expired.class);
    }
}
