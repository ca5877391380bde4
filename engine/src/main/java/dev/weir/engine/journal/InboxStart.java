package dev.weir.engine.journal;

import dev.weir.engine.request.StartRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A start that a program wrote to the inbox in its own transaction.
 *
 * @param by database user that wrote it, as the store knows it
 * @param submission start as the program left it, as JSON, to submit it again; absent if it cannot be
 * @param unreadable reason why the request could not be read and is empty; absent if it could
 */
public record InboxStart(
        String org,
        String by,
        StartRequest request,
        @Nullable String submission,
        @Nullable String unreadable) {
    /** Creates a start that cannot be read and will only be refused. */
    public static InboxStart unreadable(String org, String by, String why) {
        return new InboxStart(org, by, StartRequest.of("", "", JsonNodeFactory.instance.nullNode()), null, why);
    }
}
