package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("R3.11")
class CallTargetTest {
    /** Spellings that one program reads as an internal address and another as something else. */
    static Stream<String> spellings() {
        return Stream.of(
                "http://127.1/",
                "http://127.0.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.0.0.1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://127.0.0.01/",
                "http://127.0.0.256/",
                "http://127.0.0.1./",
                "http://1.2.3.4.5/",
                "http://0/",
                "http://[::1/",
                "http://[fe80::1%25eth0]/",
                "http://[fe80::1%eth0]/",
                "http://[::ffff:127.1]/",
                "http://[v1.x]/",
                "http://user@127.0.0.1/",
                "http://user:word@example.com/",
                "http://example.com@127.0.0.1/",
                "http://127.0.0.1\\@example.com/",
                "http://127.0.0.1 .example.com/",
                "http://127.0.0.1%00.example.com/",
                "http://127.0.0.1%2f@example.com/",
                "http:///etc/passwd",
                "http:127.0.0.1/",
                "//127.0.0.1/",
                "file:///etc/passwd",
                "ftp://example.com/",
                "gopher://example.com/",
                "jar:http://example.com!/",
                "data:text/plain,x",
                "javascript:1",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://exa_mple.com/",
                "http://-example.com/",
                "http://example..com/",
                "http://exam\nple.com/",
                "http://exam\tple.com/",
                "http://\u0000example.com/",
                "",
                "x");
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void a_spelling_that_can_be_read_in_two_ways_is_refused(String url) {
        assertThatThrownBy(() -> CallTarget.of(url)).isInstanceOf(CallRefused.class);
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.com, example.com, 80",
        "https://example.com/a?b=c#d, example.com, 443",
        "HTTPS://Example.COM:8443/, Example.COM, 8443",
        "http://127.0.0.1:8080/, 127.0.0.1, 8080",
        "http://[::1]/, ::1, 80",
        "http://[::ffff:127.0.0.1]/, ::ffff:127.0.0.1, 80",
        "http://localhost./, localhost., 80",
        "http://bücher.example/, xn--bcher-kva.example, 80"
    })
    void a_plain_url_is_read(String url, String host, int port) {
        CallTarget target = CallTarget.of(url);
        assertThat(target.host()).isEqualTo(host);
        assertThat(target.port()).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({"http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://ⓛocalhost/"})
    void digits_and_dots_in_other_scripts_are_read_as_what_they_stand_for(String url) {
        CallTarget target = CallTarget.of(url);
        assertThat(target.host())
                .as("the guard sees what would be connected to")
                .isIn("127.0.0.1", "localhost");
    }
}
