package dev.weir.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The form of hashed entries. These values are in databases: if one of them changes, Weir reports every stored chain as
 * broken. Do not change them without a new name of the form.
 */
@Tag("R4.8")
class AuditEntryTest {
    private static final Attribution ANN = new Attribution("ann", ChangeOrigin.CLI, "req-1", "the provider is down");

    private static AuditEntry first() {
        var change = new AuditEntry.Change("pause_key", "key:gr\u00fc\u00dfe", null, "{\"paused\":true}");
        return AuditEntry.after(AuditHead.EMPTY, ANN, change, 1_700_000_000_000_000L);
    }

    @Test
    void an_entry_has_the_hash_that_it_always_had() {
        assertThat(first().hash()).isEqualTo("c28836c30e305f7edd0bd34eae15b9c3bdb74f16be400009ff161393acdd8b66");
        var change = new AuditEntry.Change("create_token", "token:ci", "{}", "{\"role\":\"worker\"}");
        AuditEntry second = AuditEntry.after(first().head(), Attribution.PROGRAM, change, 1_700_000_000_000_001L);
        assertThat(second.hash()).isEqualTo("4fc668985849264e181151ad2aacd513d00301b4b3da64efa6d341999cc35e0c");
        assertThat(second.number()).isEqualTo(2);
        assertThat(second.previousHash()).isEqualTo(first().hash());
    }

    @Test
    void an_entry_with_another_field_is_not_intact() {
        AuditEntry entry = first();
        assertThat(entry.isIntact()).isTrue();
        var other = new AuditEntry.Change("pause_key", "key:gr\u00fc\u00dfe", "", "{\"paused\":true}");
        assertThat(new AuditEntry(entry.number(), entry.at(), ANN, other, entry.previousHash(), entry.hash())
                        .isIntact())
                .as("an empty text is not an absent one")
                .isFalse();
        assertThat(new AuditEntry(
                                entry.number(),
                                entry.at(),
                                ANN.withReason(null),
                                entry.change(),
                                entry.previousHash(),
                                entry.hash())
                        .isIntact())
                .isFalse();
    }

    @Test
    void a_head_is_read_as_it_is_printed() {
        AuditHead head = first().head();
        assertThat(AuditHead.parse(head.text())).contains(head);
        assertThat(AuditHead.parse("1:abc")).isEmpty();
        assertThat(AuditHead.parse("-1:" + head.hash())).isEmpty();
    }

    @Test
    void texts_of_a_caller_are_bounded_and_storable() {
        var by = new Attribution("a\0" + "b".repeat(500), ChangeOrigin.API, "r".repeat(500), "w".repeat(5_000));
        assertThat(by.actor()).hasSize(Attribution.ACTOR_CHARS_MAX).startsWith("a\uFFFD");
        assertThat(by.requestId()).hasSize(Attribution.REQUEST_CHARS_MAX);
        assertThat(by.reason()).hasSize(Attribution.REASON_CHARS_MAX);
    }
}
