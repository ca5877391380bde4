package dev.weir.core.definition;

/** Parts of JSON pointers (RFC 6901). */
final class Pointer {
    private Pointer() {}

    static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
