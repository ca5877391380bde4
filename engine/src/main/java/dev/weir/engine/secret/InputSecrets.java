package dev.weir.engine.secret;

import dev.weir.core.expression.RenderedTemplate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An input and the values of the secrets that it names, before they are put in.
 *
 * @param chars characters that the secrets add to the input; a secret counts once per use
 */
public record InputSecrets(RenderedTemplate rendered, Map<String, String> values, int chars) {
    /**
     * The number of characters that secrets may add, equal to the limit of the input itself. A short input can name a
     * long secret often.
     */
    static final int CHARS_MAX = 256 * 1024;
    /**
     * The number of different secrets in one input. It is limited because each is searched for in everything that comes
     * back.
     */
    static final int NAMES_MAX = 64;

    /**
     * Looks up the secrets that an input names.
     *
     * @throws SecretFailure if one of them is unknown, or if they are too many or too long together
     */
    public static InputSecrets of(RenderedTemplate rendered, String org, SecretSource secrets) {
        Map<String, String> values = new LinkedHashMap<>();
        int chars = 0;
        for (RenderedTemplate.SecretText text : rendered.secretTexts()) {
            for (RenderedTemplate.Part part : text.parts()) {
                if (part.secret()) {
                    chars += values.computeIfAbsent(
                                    part.text(),
                                    name -> secrets.find(org, name).orElseThrow(() -> failure(org, name, secrets)))
                            .length();
                    if (values.size() > NAMES_MAX) {
                        throw SecretFailure.tooMany(NAMES_MAX);
                    }
                    if (chars < 0 || chars > CHARS_MAX) {
                        throw SecretFailure.tooLong(CHARS_MAX);
                    }
                }
            }
        }
        return new InputSecrets(rendered, values, chars);
    }

    private static SecretFailure failure(String org, String name, SecretSource secrets) {
        return secrets.problem(org, name)
                .map(problem -> SecretFailure.unreadable(name, problem))
                .orElseGet(() -> SecretFailure.missing(name));
    }

    /** Puts the secrets in. */
    public ResolvedInput resolve() {
        return new ResolvedInput(
                rendered.insertSecrets(name -> values.getOrDefault(name, "")), new SecretRedactor(values.values()));
    }
}
