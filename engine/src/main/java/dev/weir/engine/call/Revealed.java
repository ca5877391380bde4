package dev.weir.engine.call;

import dev.weir.core.expression.Rendered;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * An input with its secrets in it, never stored, and what hides them again in what comes back.
 *
 * @param veil hides the secrets that were put in
 */
public record Revealed(JsonNode input, Veil veil) {
    /**
     * Puts the secrets of an organisation in.
     *
     * @throws MissingSecret if one of them is not known
     */
    public static Revealed of(Rendered rendered, String org, Secrets secrets) {
        Map<String, String> used = new LinkedHashMap<>();
        JsonNode input = rendered.reveal(name -> used.computeIfAbsent(
                name, known -> secrets.find(org, known).orElseThrow(() -> new MissingSecret(known))));
        return new Revealed(input, new Veil(used.values()));
    }
}
