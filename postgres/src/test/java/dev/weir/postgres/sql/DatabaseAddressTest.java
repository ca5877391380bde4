package dev.weir.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatabaseAddressTest {
    @Test
    void no_password_is_shown_wherever_it_was_given() {
        var address = new DatabaseAddress("jdbc:postgresql://db:5432/weir?ssl=true&password=geheim", "weir", "secret");
        assertThat(address).hasToString("jdbc:postgresql://db:5432/weir as weir");
        assertThat(new DatabaseAddress("jdbc:postgresql://db/weir", "weir", "secret"))
                .hasToString("jdbc:postgresql://db/weir as weir");
    }
}
