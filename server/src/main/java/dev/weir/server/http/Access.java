package dev.weir.server.http;

import java.util.Optional;

/** Whose requests these are. */
@FunctionalInterface
public interface Access {
    /** The organisation that an API token belongs to; empty for a token that is not known. */
    Optional<String> organisation(String token);
}
