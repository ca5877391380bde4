package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.5")
class HostCheckTest {
    @Test
    void loopback_accepts_its_own_names_and_the_configured_ones() {
        var names = new HostCheck("127.0.0.1", List.of("Weir.example"), URI.create("https://proxy.example"));
        for (String name : List.of("localhost", "127.0.0.1", "[::1]", "weir.EXAMPLE", "proxy.example")) {
            assertThatCode(() -> names.check(name)).as(name).doesNotThrowAnyException();
        }
        assertThatCode(() -> names.check(null)).doesNotThrowAnyException();
        assertThatThrownBy(() -> names.check("other.example")).hasMessageContaining("'other.example'");
    }

    @Test
    void other_addresses_accept_any_name_unless_names_are_configured() {
        assertThatCode(() -> new HostCheck("0.0.0.0", List.of(), null).check("any.example"))
                .doesNotThrowAnyException();
        var names = new HostCheck("0.0.0.0", List.of("weir.example"), null);
        assertThatCode(() -> names.check("weir.example")).doesNotThrowAnyException();
        assertThatThrownBy(() -> names.check("any.example")).isInstanceOf(RefusedRequest.class);
    }
}
