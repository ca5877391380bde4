package dev.weir.engine.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretCipherTest {
    private final byte[] first = SecretCipher.newKey();
    private final SecretCipher cipher = SecretCipher.of(List.of(first));

    @Test
    void a_value_opens_only_for_its_organisation_and_name() {
        var sealed = cipher.seal(1, "A", "value \u00e9");
        assertThat(cipher.open(1, "A", sealed)).contains("value \u00e9");
        assertThat(cipher.open(2, "A", sealed)).isEmpty();
        assertThat(cipher.open(1, "B", sealed)).isEmpty();
        assertThat(sealed.text()).doesNotContain("value");
        assertThat(cipher.seal(1, "A", "value \u00e9").text()).isNotEqualTo(sealed.text());
    }

    @Test
    void a_changed_value_does_not_open() {
        var sealed = cipher.seal(1, "A", "value");
        byte[] bytes = Base64.getDecoder().decode(sealed.text());
        bytes[bytes.length - 1] ^= 1;
        String changed = Base64.getEncoder().encodeToString(bytes);
        assertThat(cipher.open(1, "A", new SecretCipher.Sealed(sealed.keyId(), changed)))
                .isEmpty();
        assertThat(cipher.open(1, "A", new SecretCipher.Sealed(sealed.keyId(), "!")))
                .isEmpty();
        assertThat(cipher.open(1, "A", new SecretCipher.Sealed(sealed.keyId(), "")))
                .isEmpty();
    }

    @Test
    void a_new_key_seals_while_the_old_one_still_opens() {
        var old = cipher.seal(1, "A", "value");
        var rotated = SecretCipher.of(List.of(SecretCipher.newKey(), first));
        assertThat(rotated.open(1, "A", old)).contains("value");
        assertThat(rotated.seal(1, "A", "value").keyId()).isNotEqualTo(old.keyId());
        var other = SecretCipher.of(List.of(SecretCipher.newKey()));
        assertThat(other.open(1, "A", old)).isEmpty();
        assertThat(other.canOpen(old.keyId())).isFalse();
        assertThat(SecretCipher.withoutKey().open(1, "A", old)).isEmpty();
        assertThatThrownBy(() -> SecretCipher.of(List.of(new byte[16]))).hasMessageContaining("32 bytes");
    }
}
