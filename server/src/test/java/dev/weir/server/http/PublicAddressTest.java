package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.state.Permission;
import dev.weir.core.state.Rights;
import dev.weir.engine.organisations.Caller;
import dev.weir.server.http.HttpServer.Address;
import dev.weir.server.http.Routing.Method;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers with TLS, and servers behind a proxy: the cookie, the pages that may use it, and links. */
class PublicAddressTest {
    @TempDir
    private static Path folder;

    private static HttpServer start(@Nullable TlsFiles tls, @Nullable String baseUrl) {
        var address = new Address("127.0.0.1", 0, List.of(), tls, baseUrl == null ? null : URI.create(baseUrl));
        Authenticator anyone = credential -> Optional.of(new Caller("acme", credential.secret(), Rights.ALL));
        return HttpServer.start(address, HttpBounds.defaults(), anyone, new SimpleMeterRegistry(), routing -> {
            routing.routePublic(Method.POST, "/session", request -> {
                request.setSession("secret", Duration.ofMinutes(1));
                return Response.ok(List.of(request.publicAddress()));
            });
            routing.route(Method.POST, "/change", Permission.PIN, request -> Response.ok(List.of()));
        });
    }

    private static HttpResponse<String> post(HttpClient client, String url, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElseThrow();
    }

    @Test
    void behind_a_proxy_with_tls_the_cookie_is_secure_and_pages_of_the_proxy_may_use_it() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient();
                HttpServer server = start(null, "https://Weir.example/")) {
            String url = "http://127.0.0.1:" + server.port();
            var begun = post(client, url + "/session");
            assertThat(cookie(begun)).startsWith("__Host-weir_session=secret;").contains("; Secure", "; Path=/;");
            assertThat(begun.body()).isEqualTo("[\"https://weir.example\"]");
            String session = "__Host-weir_session=secret";
            for (String origin : List.of("https://weir.example", url)) {
                assertThat(post(client, url + "/change", "Cookie", session, "Origin", origin)
                                .statusCode())
                        .as(origin)
                        .isEqualTo(200);
            }
            for (String origin : List.of("http://weir.example", "https://weir.example:444", "https://evil.example")) {
                assertThat(post(client, url + "/change", "Cookie", session, "Origin", origin)
                                .statusCode())
                        .as(origin)
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void a_server_with_tls_answers_https_only_and_makes_its_cookie_secure() throws Exception {
        var certificate = TestCertificate.create(folder, "tls", "EC");
        try (HttpClient client = HttpClient.newBuilder()
                        .sslContext(trusting(certificate))
                        .build();
                HttpServer server = start(certificate.files(), null)) {
            String url = "https://127.0.0.1:" + server.port();
            var begun = post(client, url + "/session");
            assertThat(cookie(begun))
                    .startsWith("__Host-weir_session_" + server.port() + "=secret;")
                    .contains("; Secure");
            assertThat(begun.body()).isEqualTo("[\"" + url + "\"]");
            String session = "__Host-weir_session_" + server.port() + "=secret";
            assertThat(post(client, url + "/change", "Cookie", session, "Origin", url)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(post(client, url + "/change", "Cookie", session, "Origin", url.replace("https", "http"))
                            .statusCode())
                    .isEqualTo(403);
            assertThatThrownBy(() -> post(client, url.replace("https", "http") + "/session"))
                    .isInstanceOf(java.io.IOException.class);
        }
    }

    private static SSLContext trusting(TestCertificate made) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(made.certificate())) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "weir.example",
                "/",
                "ftp://weir.example",
                "https://weir.example/path",
                "https://a@b",
                "https:///x",
                "https://weir.example?x=1",
                "https://weir.example#x"
            })
    void a_base_url_that_is_no_address_of_a_node_is_refused(String url) {
        assertThatThrownBy(() -> new Address("127.0.0.1", 0, List.of(), null, URI.create(url)))
                .hasMessageContainingAll("base URL: expected", "https://weir.example", url);
    }
}
