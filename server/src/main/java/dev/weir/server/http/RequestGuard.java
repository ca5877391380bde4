package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses malformed requests before routing: a path that cannot be decoded, the host name of another server, or a
 * body whose declared length is too large. Javalin would fail on some of them.
 */
final class RequestGuard extends Handler.Wrapper {
    /** A percent sign that is not followed by two hexadecimal digits. */
    static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private final HostCheck hostCheck;
    private final JettyErrorHandler errorHandler;

    RequestGuard(HostCheck hostCheck, JettyErrorHandler errorHandler) {
        this.hostCheck = hostCheck;
        this.errorHandler = errorHandler;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        SecurityHeaders.put(response.getHeaders());
        try {
            check(request);
        } catch (RefusedRequest refused) {
            errorHandler.refuse(request, response, refused.problem(), callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private void check(Request request) {
        hostCheck.check(request.getHttpURI().getHost());
        String path = request.getHttpURI().getPath();
        if (path != null && BROKEN_ESCAPE.matcher(path).find()) {
            throw RefusedRequest.invalid(
                    "path", "two hexadecimal digits after each % (a % itself is %25)", "something else");
        }
        if (request.getLength() > WireJson.BODY_BYTES_MAX) {
            throw RefusedRequest.of(
                    Problem.Kind.TOO_LARGE,
                    "expected a body of at most " + WireJson.BODY_BYTES_MAX + " bytes, found Content-Length "
                            + request.getLength());
        }
    }
}
