package dev.weir.engine.journal;

import dev.weir.engine.StartRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A start that a program has put into its own transaction.
 *
 * @param by who did, as the store knows them
 * @param unreadable why the request could not be read and says nothing; absent if it could
 */
public record InboxStart(
        String org,
        String by,
        StartRequest request,
        @Nullable String unreadable) {
    /** One that cannot be read; it is there to be refused. */
    public static InboxStart unreadable(String org, String by, String why) {
        return new InboxStart(org, by, StartRequest.of("", "", JsonNodeFactory.instance.nullNode()), why);
    }
}
