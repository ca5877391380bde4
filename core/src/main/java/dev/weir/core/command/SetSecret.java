package dev.weir.core.command;

import dev.weir.core.state.SecretRow;

/**
 * Sets the value of a secret. The value is sealed before it gets here.
 *
 * @param sealed the encrypted value
 * @param keyId identifies the key with which it is encrypted
 */
public record SetSecret(String name, String sealed, String keyId) implements SecretCommand<SetSecret.Answer> {
    /** The most secrets of an organisation. */
    public static final int SECRETS_MAX = 200;

    public SetSecret {
        if (!SecretRow.NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a secret's name has letters, digits and _, found another one");
        }
    }

    /** The answer to the caller. */
    public sealed interface Answer {
        /** The value is stored. */
        record Stored(SecretRow secret) implements Answer {}

        /** The organisation has the maximum number of secrets. */
        record TooMany() implements Answer {}
    }

    @Override
    public Answer decide(SecretControl secrets, long now) {
        var before = secrets.findSecret(name);
        if (before.isEmpty() && secrets.secretCount() >= SECRETS_MAX) {
            return new Answer.TooMany();
        }
        int version = before.map(SecretRow::version).orElse(0) + 1;
        var secret = new SecretRow(name, version, keyId, now);
        secrets.store(secret, sealed, now);
        return new Answer.Stored(secret);
    }

    /** Leaves out the sealed value, because commands are logged. */
    @Override
    public String toString() {
        return "SetSecret[" + name + "]";
    }
}
