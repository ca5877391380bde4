package dev.weir.client;

/** Measures texts in UTF-8 without encoding them. */
final class Utf8Length {
    private static final int ONE_BYTE_MAX = 0x7F;
    private static final int TWO_BYTES_MAX = 0x7FF;

    private Utf8Length() {}

    /** Returns the number of bytes of a text. A character beyond U+FFFF counts as six instead of four. */
    static int of(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            if (at > ONE_BYTE_MAX) {
                bytes += at > TWO_BYTES_MAX ? 2 : 1;
            }
        }
        return bytes;
    }
}
