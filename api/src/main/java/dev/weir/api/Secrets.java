package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests and responses about the secrets of an organisation. None of the responses contains a value. */
public final class Secrets {
    private Secrets() {}

    /**
     * The value of a secret.
     *
     * @param value a string; no message about another value repeats it
     * @param reason the reason, for the audit
     */
    public record SecretRequest(
            @Nullable JsonNode value, @Nullable String reason) {
        public SecretRequest {
            if (value == null || !value.isString()) {
                throw new InvalidValue("value", "a string", value == null ? "nothing" : "something else");
            }
        }

        public static SecretRequest of(String value, @Nullable String reason) {
            return new SecretRequest(JsonNodeFactory.instance.stringNode(value), reason);
        }

        /** Returns the value as text. */
        public String text() {
            return value == null ? "" : value.stringValue();
        }

        /** Leaves out the value, because requests are logged. */
        @Override
        public String toString() {
            return "SecretRequest[***]";
        }
    }

    /**
     * A secret without its value.
     *
     * @param version the number of values that it has had
     * @param key identifies the key with which it is sealed
     * @param readable true if this node has that key
     */
    public record SecretView(String name, int version, String key, boolean readable, Instant changedAt) {}

    public record SecretPage(List<SecretView> secrets) {}

    /** The outcome of a change: deleted. */
    public record SecretAction(String name, String outcome) {}
}
