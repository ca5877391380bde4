package dev.weir.engine.call;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpTransportMetrics;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * Parses the heads of responses up to a total length. The HTTP client itself limits only the length and number of
 * lines.
 */
final class BoundedHeaderParser extends DefaultHttpResponseParser {
    /** The largest head, in characters of all its lines together. */
    static final int CHARS_MAX = 32 * 1024;

    private static final int LINE_CHARS_MAX = 8 * 1024;
    private static final int LINES_MAX = 200;

    /** The limits that the HTTP client enforces itself. */
    static final Http1Config LINE_LIMITS = Http1Config.custom()
            .setMaxLineLength(LINE_CHARS_MAX)
            .setMaxHeaderCount(LINES_MAX)
            .build();

    BoundedHeaderParser(Http1Config config) {
        super(config);
    }

    @Override
    public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in) throws IOException, HttpException {
        return super.parse(new CountingBuffer(buffer), in);
    }

    private static final class CountingBuffer implements SessionInputBuffer {
        private final SessionInputBuffer buffer;
        private int chars;

        CountingBuffer(SessionInputBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public int readLine(CharArrayBuffer line, InputStream in) throws IOException {
            int read = buffer.readLine(line, in);
            chars += Math.max(0, read);
            if (chars > CHARS_MAX) {
                throw new MessageConstraintException(
                        "expected response headers of at most " + CHARS_MAX + " characters");
            }
            return read;
        }

        @Override
        public int length() {
            return buffer.length();
        }

        @Override
        public int capacity() {
            return buffer.capacity();
        }

        @Override
        public int available() {
            return buffer.available();
        }

        @Override
        public int read(byte[] into, int offset, int length, InputStream in) throws IOException {
            return buffer.read(into, offset, length, in);
        }

        @Override
        public int read(byte[] into, InputStream in) throws IOException {
            return buffer.read(into, in);
        }

        @Override
        public int read(InputStream in) throws IOException {
            return buffer.read(in);
        }

        @Override
        public HttpTransportMetrics getMetrics() {
            return buffer.getMetrics();
        }
    }
}
