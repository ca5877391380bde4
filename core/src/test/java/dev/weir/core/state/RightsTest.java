package dev.weir.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.9")
class RightsTest {
    @Test
    void a_viewer_cannot_start_and_a_worker_cannot_pin() {
        assertThat(Rights.of(Role.VIEWER).permits(Permission.READ)).isTrue();
        assertThat(Rights.of(Role.VIEWER).permits(Permission.START)).isFalse();
        assertThat(Rights.of(Role.WORKER).permits(Permission.WORK)).isTrue();
        assertThat(Rights.of(Role.WORKER).permits(Permission.PIN)).isFalse();
        assertThat(Rights.of(Role.OPERATOR).permits(Permission.MANAGE_LIMITS)).isFalse();
    }

    @Test
    void a_scope_adds_to_any_role() {
        var rights = new Rights(Role.WORKER, Set.of(TokenScope.RATE_LIMITS_MANAGE), false);
        assertThat(rights.permits(Permission.MANAGE_LIMITS)).isTrue();
        assertThat(rights.permits(Permission.PIN)).isTrue();
        assertThat(rights.permits(Permission.READ)).isFalse();
        assertThat(rights.describe()).isEqualTo("worker + rate_limits.manage");
    }

    @Test
    void an_admin_is_not_an_administrator_and_every_permission_belongs_to_somebody() {
        assertThat(Rights.of(Role.ADMIN).permits(Permission.ADMINISTER)).isFalse();
        for (Permission permission : Permission.values()) {
            assertThat(Rights.ALL.permits(permission)).as(permission.name()).isTrue();
        }
    }

    @Test
    void rights_cover_others_that_permit_nothing_more() {
        assertThat(Rights.of(Role.OPERATOR).cover(Rights.of(Role.WORKER))).isTrue();
        assertThat(Rights.of(Role.STARTER).cover(Rights.of(Role.WORKER))).isFalse();
        assertThat(Rights.of(Role.ADMIN).cover(Rights.ALL)).isFalse();
        assertThat(Rights.of(Role.ADMIN).cover(new Rights(Role.VIEWER, Set.of(TokenScope.values()), false)))
                .isTrue();
    }
}
