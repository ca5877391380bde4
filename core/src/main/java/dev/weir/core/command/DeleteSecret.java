package dev.weir.core.command;

/** Deletes a secret. The answer is false if there is none of that name. */
public record DeleteSecret(String name) implements SecretCommand<Boolean> {
    @Override
    public Boolean decide(SecretControl secrets, long now) {
        boolean exists = secrets.findSecret(name).isPresent();
        if (exists) {
            secrets.delete(name, now);
        }
        return exists;
    }
}
