package dev.weir.core.json;

/** Escapes segments of JSON pointers (RFC 6901). */
public final class JsonPointers {
    private JsonPointers() {}

    public static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
