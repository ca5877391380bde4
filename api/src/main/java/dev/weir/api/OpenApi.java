package dev.weir.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The OpenAPI 3.1 document of the HTTP API. */
public final class OpenApi {
    private static final String FILE = "openapi.json";

    private OpenApi() {}

    /** Returns the document as the server serves it. */
    public static String document() {
        try (var in = Objects.requireNonNull(OpenApi.class.getResourceAsStream(FILE), FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
