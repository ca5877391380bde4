package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.WireJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BoundedBodyStreamTest {
    private long now;

    /** Returns a stream that gives one byte at a time, each after a delay. */
    private InputStream dripping(int bytes, Duration each) {
        return new InputStream() {
            private int left = bytes;

            @Override
            public int read() {
                now += each.toNanos();
                return left-- > 0 ? 'x' : -1;
            }

            @Override
            public int read(byte[] into, int from, int most) {
                int read = read();
                into[from] = (byte) read;
                return read < 0 ? -1 : 1;
            }
        };
    }

    private byte[] await(InputStream body) {
        return BoundedBodyStream.readAll(body, -1, () -> now);
    }

    @Test
    void a_body_comes_whole_if_it_comes_in_time() {
        assertThat(await(dripping(29, Duration.ofSeconds(1)))).hasSize(29);
        assertThat(await(new ByteArrayInputStream(new byte[WireJson.BODY_BYTES_MAX])))
                .hasSize(WireJson.BODY_BYTES_MAX);
        assertThat(await(InputStream.nullInputStream())).isEmpty();
    }

    @Test
    void a_body_comes_whole_whatever_length_was_declared() {
        byte[] sent = new byte[50_000];
        new Random(1).nextBytes(sent);
        for (int length : List.of(0, 1, 200, 16_383, 16_384, 16_385, 50_000)) {
            byte[] body = Arrays.copyOf(sent, length);
            for (long declared : List.of(-1L, 0L, 1L, 199L, 200L, 16_384L, 50_000L, (long) WireJson.BODY_BYTES_MAX)) {
                assertThat(BoundedBodyStream.readAll(new ByteArrayInputStream(body), declared, () -> now))
                        .isEqualTo(body);
            }
        }
    }

    @Test
    void a_body_that_drips_for_ever_is_given_up() {
        assertThatThrownBy(() -> await(dripping(1_000_000, Duration.ofSeconds(1))))
                .isInstanceOf(RefusedRequest.class)
                .hasMessage("expected the whole body within 30 s, received 31 bytes");
        assertThat(Duration.ofNanos(now)).isEqualTo(Duration.ofSeconds(31));
    }

    @Test
    void a_body_that_is_too_large_or_breaks_off_is_refused() throws IOException {
        assertThatThrownBy(() -> await(new ByteArrayInputStream(new byte[WireJson.BODY_BYTES_MAX + 1])))
                .isInstanceOfSatisfying(
                        RefusedRequest.class,
                        e -> assertThat(e.problem().status()).isEqualTo(413));
        InputStream broken = InputStream.nullInputStream();
        broken.close();
        assertThatThrownBy(() -> await(broken)).hasMessageContaining("the connection ended before the end of the body");
    }
}
