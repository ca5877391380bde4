package dev.weir.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenRow;
import org.junit.jupiter.api.Test;

class CreateTokenTest {
    private final World world = new World();

    static TokenRow token(String name, Rights rights, long expiresAt) {
        return new TokenRow(name, "ab".repeat(32), rights, 0, expiresAt, new TokenRow.Source("ann", "req"));
    }

    private CreateToken.Answer create(String name, Rights rights, Rights creator) {
        return world.handle(new CreateToken(token(name, rights, Moment.NEVER), creator));
    }

    @Test
    void a_token_is_created_once_and_remembered_after_a_restart() {
        assertThat(create("ci", Rights.of(Role.WORKER), Rights.ALL)).isEqualTo(CreateToken.Answer.CREATED);
        world.restart();
        assertThat(create("ci", Rights.of(Role.WORKER), Rights.ALL)).isEqualTo(CreateToken.Answer.NAME_TAKEN);
        assertThat(world.org.rows().access().tokens()).containsOnlyKeys("ci");
        assertThat(world.moves).filteredOn(Move.TokenCreated.class::isInstance).hasSize(1);
        assertThat(world.moves).filteredOn(Move.Audited.class::isInstance).hasSize(1);
    }

    @Test
    void nobody_creates_a_token_with_more_rights_than_their_own() {
        assertThat(create("root", Rights.ALL, Rights.of(Role.ADMIN))).isEqualTo(CreateToken.Answer.TOO_MANY_RIGHTS);
        assertThat(create("boss", Rights.of(Role.ADMIN), Rights.of(Role.OPERATOR)))
                .isEqualTo(CreateToken.Answer.TOO_MANY_RIGHTS);
        assertThat(world.moves).isEmpty();
    }

    @Test
    void a_token_must_expire_later_than_now() {
        var late = token("late", Rights.of(Role.VIEWER), world.now);
        assertThat(world.handle(new CreateToken(late, Rights.ALL))).isEqualTo(CreateToken.Answer.ALREADY_EXPIRED);
    }

    @Test
    void an_organisation_has_a_bounded_number_of_tokens() {
        for (int i = 0; i < CreateToken.TOKENS_MAX; i++) {
            create("t" + i, Rights.of(Role.VIEWER), Rights.ALL);
        }
        assertThat(create("one more", Rights.of(Role.VIEWER), Rights.ALL))
                .isEqualTo(CreateToken.Answer.TOO_MANY_TOKENS);
    }
}
