package dev.weir.engine.secret;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Provides the values of secrets, which steps name but never store. It is asked when a call is sent or a claim is
 * handed out.
 */
@FunctionalInterface
public interface SecretSource {
    /** The value of a secret of an organisation, if there is one. */
    Optional<String> find(String org, String name);

    /**
     * Values that the secret had before, as far as this process knows them. Workers that received one of them may still
     * report it, so it is hidden like the present one.
     */
    default List<String> formerValues(String org, String name) {
        return List.of();
    }

    /** The reason why a secret that exists cannot be read, if that is so. It never contains a value. */
    default Optional<String> problem(String org, String name) {
        return Optional.empty();
    }

    /** Returns a source that asks the other one for secrets that this one does not have. */
    default SecretSource orElse(SecretSource other) {
        SecretSource first = this;
        return new SecretSource() {
            @Override
            public Optional<String> find(String org, String name) {
                return first.find(org, name).or(() -> other.find(org, name));
            }

            @Override
            public Optional<String> problem(String org, String name) {
                return first.problem(org, name).or(() -> other.problem(org, name));
            }

            @Override
            public List<String> formerValues(String org, String name) {
                return Stream.concat(first.formerValues(org, name).stream(), other.formerValues(org, name).stream())
                        .toList();
            }
        };
    }

    /** Returns a source without secrets. */
    static SecretSource none() {
        return (org, name) -> Optional.empty();
    }
}
