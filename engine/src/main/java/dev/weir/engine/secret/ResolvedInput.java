package dev.weir.engine.secret;

import dev.weir.core.expression.RenderedTemplate;
import tools.jackson.databind.JsonNode;

/**
 * An input with its secrets, which is never stored, and the redactor that hides them in what comes back.
 *
 * @param redactor redactor of the secrets that were put in
 */
public record ResolvedInput(JsonNode input, SecretRedactor redactor) {
    /**
     * Puts the secrets of an organisation into an input.
     *
     * @throws SecretFailure if one of them is unknown, or if they are too many or too long together
     */
    public static ResolvedInput of(RenderedTemplate rendered, String org, SecretSource secrets) {
        return InputSecrets.of(rendered, org, secrets).resolve();
    }
}
