package dev.weir.engine.call;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpMessage;

/**
 * The content coding of a response body. Weir decodes only these codings, because their decoders need little memory
 * whatever the body contains. Decoders of other codings allocate as much as the first bytes of the body demand.
 */
enum ContentCoding {
    IDENTITY,
    GZIP,
    DEFLATE;

    /** The codings that a request accepts. */
    static final String ACCEPTED = "gzip, deflate";
    /** The memory of a decoder, in bytes. */
    static final int DECODER_BYTES = 64 * 1024;

    private static final int BUFFER_BYTES = 8 * 1024;
    private static final int SHOWN_CHARS_MAX = 60;
    private static final int DEFLATE_METHOD = 8;
    private static final int ZLIB_CHECK = 31;

    /**
     * Returns the coding of a response.
     *
     * @throws CallRefused if the body has another coding, or more than one
     */
    static ContentCoding of(HttpMessage response) {
        List<String> codings = new ArrayList<>();
        for (Header header : response.getHeaders("Content-Encoding")) {
            for (String coding : String.valueOf(header.getValue()).split(",", -1)) {
                String name = coding.strip().toLowerCase(Locale.ROOT);
                if (!name.isEmpty() && !name.equals("identity")) {
                    codings.add(name);
                }
            }
        }
        if (codings.isEmpty()) {
            return IDENTITY;
        }
        return switch (String.join(", ", codings)) {
            case "gzip", "x-gzip" -> GZIP;
            case "deflate" -> DEFLATE;
            default ->
                throw new CallRefused("expected a response with Content-Encoding gzip, deflate or none, found "
                        + printable(String.join(", ", codings)) + "; configure the called server to send one of these");
        };
    }

    private static String printable(String codings) {
        String text = codings.replaceAll("[^ -~]", "?");
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
    }

    /**
     * Decodes a body up to a number of bytes; the rest is not decoded.
     *
     * @param encoded encoded body; it is not closed
     * @throws ZipException if the body does not have this coding
     */
    byte[] decode(InputStream encoded, int bytesMax) throws IOException {
        if (this == IDENTITY) {
            return encoded.readNBytes(bytesMax);
        }
        var in = new PushbackInputStream(encoded, 2);
        byte[] head = in.readNBytes(2);
        in.unread(head);
        if (head.length == 0) {
            return head;
        }
        try {
            return this == GZIP ? gunzip(in, bytesMax) : inflate(in, isZlib(head), bytesMax);
        } catch (EOFException e) {
            throw new ZipException("the body is incomplete");
        }
    }

    private static byte[] gunzip(InputStream in, int bytesMax) throws IOException {
        try (var unzipped = new GZIPInputStream(new Unclosed(in), BUFFER_BYTES)) {
            return unzipped.readNBytes(bytesMax);
        }
    }

    private static byte[] inflate(InputStream in, boolean zlib, int bytesMax) throws IOException {
        var inflater = new Inflater(!zlib);
        try {
            byte[] bytes = new InflaterInputStream(in, inflater, BUFFER_BYTES).readNBytes(bytesMax);
            if (inflater.needsDictionary()) {
                throw new ZipException("the body needs a preset dictionary");
            }
            return bytes;
        } finally {
            inflater.end();
        }
    }

    /**
     * True if the body has a zlib header. Servers send deflate with that header, as the standard says, or without it.
     */
    private static boolean isZlib(byte[] head) {
        return head.length == 2
                && (head[0] & 0x0f) == DEFLATE_METHOD
                && ((head[0] & 0xff) << 8 | (head[1] & 0xff)) % ZLIB_CHECK == 0;
    }

    /** Leaves the underlying stream open, because closing it would read the rest of the body, however long it is. */
    private static final class Unclosed extends FilterInputStream {
        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // The code that opened the stream closes it.
        }
    }
}
