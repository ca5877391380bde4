package dev.weir.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EmbeddedSettingsTest {
    @Test
    void a_setting_out_of_bounds_is_refused_with_its_name() {
        assertThatThrownBy(() -> EmbeddedSettings.DEFAULT.withPort(65_536))
                .hasMessage("port: expected 0 to 65535, found 65536");
        assertThatThrownBy(() -> EmbeddedSettings.DEFAULT.withMaxConnections(1))
                .hasMessage("maxConnections: expected 5 to 1000, found 1");
        assertThatThrownBy(() -> EmbeddedSettings.DEFAULT.withSharedBuffersMiB(1))
                .hasMessage("sharedBuffersMiB: expected 16 to 65536, found 1");
    }
}
