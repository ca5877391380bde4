package dev.weir.server.http;

import dev.weir.api.Json;
import dev.weir.api.Problem;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Says as a problem what is refused before it reaches a path: a URI or a header that cannot be read. */
final class JettyProblems extends ErrorHandler {
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
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.write(true, ByteBuffer.wrap(problem(code, message)), callback);
    }

    private static byte[] problem(int status, @Nullable String message) {
        String detail = message == null ? "the request cannot be read" : message;
        Problem kind = Problems.byStatus(status, detail).problem();
        return Json.STRICT.writeValueAsBytes(new Problem(kind.type(), kind.title(), status, detail, null));
    }
}
