package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Writes a problem for requests that are refused before they reach a route, for example because of an unreadable
 * URI or header.
 */
final class JettyErrorHandler extends ErrorHandler {
    private final RefusalCounter refusals;

    JettyErrorHandler(RefusalCounter refusals) {
        this.refusals = refusals;
    }

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        int status = status(code);
        String detail = message == null ? "cannot read the request" : message;
        Problem kind = ProblemMapper.byStatus(status, detail).problem();
        write(response, new Problem(kind.type(), kind.title(), status, detail, null), callback);
    }

    /**
     * Maps an unknown HTTP version or transfer coding to 400: it is the client's fault, and must not look like a
     * failure of the server.
     */
    private static int status(int code) {
        return code == HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 || code == HttpStatus.NOT_IMPLEMENTED_501
                ? HttpStatus.BAD_REQUEST_400
                : code;
    }

    /**
     * Writes a problem at once, discards the body that is still arriving, and closes the connection. A connection that
     * closes while a client sends would break the client's request before it has read the response.
     */
    void refuse(Request request, Response response, Problem problem, Callback callback) {
        write(response, problem, Callback.from(() -> DiscardedBody.discard(request, callback), callback::failed));
    }

    /**
     * Writes a problem as the whole response and closes the connection, because the bytes that follow may be the
     * rest of a body.
     */
    private void write(Response response, Problem problem, Callback callback) {
        refusals.count(problem.status());
        response.setStatus(problem.status());
        SecurityHeaders.put(response.getHeaders());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.write(true, ByteBuffer.wrap(WireJson.STRICT.writeValueAsBytes(problem)), callback);
    }
}
