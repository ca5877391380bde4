package dev.weir.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The description of the API, in OpenAPI 3.1. */
public final class OpenApi {
    private static final String FILE = "openapi.json";

    private OpenApi() {}

    /** The document as it is served. */
    public static String document() {
        try (var in = Objects.requireNonNull(OpenApi.class.getResourceAsStream(FILE), FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
