package dev.weir.core.reading;

/** JSON pointers (RFC 6901). */
final class Paths {
    private Paths() {}

    static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
